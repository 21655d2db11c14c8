import { queryOptions, useQuery } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import { nextOf } from '#shared/series.ts'
import { bookImages, bookKey, type UserBook } from '#shared/user-book.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { ownRecordsQuery, upNextQuery } from '#web/api/reading.ts'
import { ownInSeriesQuery, seriesQuery } from '#web/api/series.ts'
import { t } from '#web/i18n/books.ts'
import { t as finish } from '#web/i18n/finish.ts'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { showError } from '#web/ui/fetch-toast.ts'
import { TextLink } from '#web/ui/link.tsx'
import { useAddToShelf } from '../add-to-shelf/add-to-shelf-book.ts'
import { inGroups } from '../add-to-shelf/add-to-shelf-owned.tsx'
import { NextStepButton } from '../reading/next-step-button.tsx'
import { useAddedToast } from '../trash/undo.ts'
import { nextSteps } from '../reading/use-step.tsx'

/**
 * What to read after a book: the next of its series, or else the first of the queue, to start with
 * one tap; or the way to find one.
 *
 * @param props.onTaken called before the reader goes on
 */
export function FinishNext({ book, onTaken }: { book: UserBook; onTaken: () => void }) {
  const api = useApi()
  const series = useQuery(nextInSeriesQuery(api, book))
  const queue = useQuery(upNextQuery(api, book.user))
  const volume = series.data
  if (volume)
    return (
      <Line
        why={finish('nextVolume', { position: volume.position })}
        title={volume.book.title}
        author={volume.book.authors[0]}
        images={volume.own ? bookImages(volume.own) : volume.book.image_links}
      >
        {volume.own ? (
          <NextStepButton book={volume.own} step={nextSteps.planning} onTaken={onTaken} />
        ) : (
          <AddAndStart book={volume.book} shelf={book.shelf} onTaken={onTaken} />
        )}
      </Line>
    )
  const next = queue.data?.find((one) => bookKey(one) !== bookKey(book))
  // The next of the series may still come, in the same place.
  if (series.isLoading || queue.isLoading) return <div className="h-16" />
  if (next)
    return (
      <Line why={t('upNext')} title={next.title} author={next.authors[0]} images={bookImages(next)}>
        <NextStepButton book={next} step={nextSteps.planning} onTaken={onTaken} />
      </Line>
    )
  return (
    <p className="flex h-16 items-center justify-between gap-4">
      {t('whatNext')}
      <TextLink asChild className="-my-3 py-3">
        <Link to="/explore" onClick={onTaken}>
          {t('findABook')}
        </Link>
      </TextLink>
    </p>
  )
}

function Line(props: {
  why: string
  title: string
  author: string | undefined
  images: readonly string[]
  children: ReactNode
}) {
  const { why, title, author, images, children } = props
  return (
    <div className="flex h-16 items-center gap-3">
      <span className="w-11 shrink-0">
        <Cover title={title} author={author} src={images} alt="" />
      </span>
      <p className="grid min-w-0 flex-1">
        <span className="text-xs text-ink-soft">{why}</span>
        <bdi className="line-clamp-2 font-serif leading-5 font-medium">{title}</bdi>
      </p>
      {children}
    </div>
  )
}

/** A volume that a reader can go on with. */
interface Volume {
  position: string
  book: Book
  /** Theirs, if they have it. */
  own: UserBook | undefined
}

/** The next volume of a finished book's series that its reader isn't reading yet, if there is one. */
function nextInSeriesQuery(api: PocketBase, { user, isbn }: UserBook) {
  return queryOptions({
    queryKey: keys.nextInSeries(user, isbn),
    queryFn: async ({ client }): Promise<Volume | null> => {
      const [series] = (await client.query(bookQuery(api, isbn)))?.series ?? []
      if (!series) return null
      const found = await client.query(seriesQuery(api, series.id))
      const records = await client.query(ownInSeriesQuery(api, user, series.id))
      const groups = inGroups(records.map(({ own }) => own))
      const owned = await Promise.all(
        groups.map((ids) => client.query(ownRecordsQuery(api, user, ids))),
      )
      const byId = new Map(owned.flat().map((one) => [one.id, one]))
      const byBook = new Map(records.map(({ book, own }) => [book, byId.get(own)]))
      const ownOf = (book: Book) => byBook.get(book.id)
      const next = nextOf(found, (book) => ownOf(book)?.status === 'completed')
      const own = next && ownOf(next.book)
      return next && own?.status !== 'reading' ? { ...next, own } : null
    },
    enabled: isbn !== '',
    staleTime: 0,
  })
}

/** Puts a book that its reader doesn't have onto a shelf, as one that they read. */
function AddAndStart(props: { book: Book; shelf: string; onTaken: () => void }) {
  const { book, shelf, onTaken } = props
  const add = useAddToShelf(book)
  const tellAdded = useAddedToast()
  const [isPending, setPending] = useState(false)

  async function start(): Promise<void> {
    setPending(true)
    try {
      const { id, title } = await add.mutateAsync({ shelf, status: 'reading' })
      onTaken()
      await tellAdded(t('stepDone.start', { title }), [id])
    } catch (error) {
      showError(errorMessage(error))
    } finally {
      setPending(false)
    }
  }

  return (
    <Button
      size="sm"
      className="min-h-11"
      pending={isPending}
      aria-label={t('stepReading.start', { title: book.title })}
      onClick={() => void start()}
    >
      {t('step.start')}
    </Button>
  )
}
