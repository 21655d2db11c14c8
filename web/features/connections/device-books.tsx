import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import type { DeviceBook } from '#shared/connection.ts'
import type { OwnBook } from '#shared/suggestion.ts'
import { bookImages, bookKey, type UserBook } from '#shared/user-book.ts'
import { bindDeviceBook, boundBooksQuery, unknownBooksQuery } from '#web/api/connections.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { readingNowQuery } from '#web/api/reading.ts'
import { suggestQuery } from '#web/api/suggestions.ts'
import { rich, t } from '#web/i18n/connections.ts'
import { formatPercent } from '#web/i18n/format.ts'
import { t as shell } from '#web/i18n/shell.ts'
import { BookLine } from '#web/ui/book-line.tsx'
import { Button } from '#web/ui/button.tsx'
import { useDebouncedText } from '#web/ui/debounced-text.ts'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { Section } from '#web/ui/page-shell.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { EpubButton } from './epub-button.tsx'

/** Milliseconds after the last letter before the reader's books are searched. */
const debounce = 200
/** Milliseconds in which a slip can be undone. */
const undoTime = 10_000
/** Books being read that are offered before anything is typed. */
const maxOffered = 4

/** @returns a book's title: the reader's own, or what the device calls it; '' if it doesn't say */
export function titleOf(device: DeviceBook, own: readonly UserBook[]): string {
  const bound = own.find(({ book_key }) => device.book_key && book_key === device.book_key)
  return bound?.title ?? (device.title || device.filename)
}

/** Cards, and rows, that are shown at first, and how many more at a time. */
export const firstUnknown = 3
export const firstBound = 10
const atATime = 10

/** A card for each book on a device that could be any of the reader's, the latest ones first. */
export function UnknownBooks({ user }: { user: string }) {
  const [most, setMost] = useState(firstUnknown)
  const query = { ...unknownBooksQuery(useApi(), user, most), placeholderData: keepPreviousData }
  const { data, isPlaceholderData } = useQuery(query)
  if (!data?.books.length) return null
  return (
    <Section title={t('whichBook')}>
      <EpubButton user={user} />
      <div className="grid grid-cols-1 gap-4">
        {data.books.map((device) => (
          <UnknownBook key={device.id} user={user} device={device} own={data.own} />
        ))}
      </div>
      <MoreButton {...data} loading={isPlaceholderData} onMore={() => setMost(most + atATime)} />
    </Section>
  )
}

function MoreButton(props: { hasMore: boolean; loading: boolean; onMore: () => void }): ReactNode {
  const { hasMore, loading, onMore } = props
  return hasMore ? (
    <Button className="mt-4" pending={loading} onClick={onMore}>
      {shell('loadMore')}
    </Button>
  ) : null
}

function UnknownBook(props: { user: string; device: DeviceBook; own: readonly UserBook[] }) {
  const { user, device, own } = props
  const id = useId()
  const [text, setText] = useState('')
  const bind = useBind()
  const choices = useChoices(user, device, own, text)
  const title = device.title || device.filename
  const about = { device: device.device, percent: percentOf(device) }
  const question = !title
    ? t('readsUntitled', about)
    : t(device.percentage > 0 ? 'readsTitled' : 'hasSent', { ...about, title })
  return (
    <Panel title={<bdi id={id}>{question}</bdi>} description={t('whichBookHint')}>
      <ul ref={keepFocusInRows} aria-labelledby={id} className="mb-4 border-t border-line">
        {choices.map((book) => (
          <li key={book.id} className="flex items-center gap-3 border-b border-line py-2">
            <BookLine
              title={book.title}
              authors={book.authors}
              images={bookImages(book)}
              large
              end={
                <Button
                  aria-label={t('thisOneNamed', { title: book.title })}
                  pending={bind.isPending && bind.variables.values.book_key === bookKey(book)}
                  onClick={() =>
                    bind.mutate({
                      device,
                      values: { book_key: bookKey(book) },
                      done: t('saved', { title: book.title }),
                    })
                  }
                >
                  {t('thisOne')}
                </Button>
              }
            />
          </li>
        ))}
      </ul>
      <TextField
        label={t('searchYourBooks')}
        hint={t('addItFirst')}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        variant="quiet"
        className="mt-3"
        onClick={() =>
          bind.mutate({
            device,
            values: { ignored: true },
            done: t('notAsked'),
            undo: { ignored: false },
          })
        }
      >
        {t('doNotAsk')}
      </Button>
    </Panel>
  )
}

const percentOf = ({ percentage }: DeviceBook) => formatPercent(Math.round(100 * percentage))

/** Suggestions by title, then the books being read; or the search results. */
function useChoices(
  user: string,
  { proposal }: DeviceBook,
  own: readonly UserBook[],
  text: string,
): OwnBook[] {
  const api = useApi()
  const { data: reading = [] } = useQuery(readingNowQuery(api, user))
  const { data: found } = useQuery(suggestQuery(api, user, useDebouncedText(text, debounce)))
  if (text.trim()) return found?.own ?? []
  const proposed = own.find(({ book_key }) => proposal && book_key === proposal)
  const others = reading.filter(({ book_key }) => book_key !== proposal)
  return [...(proposed ? [proposed] : []), ...others].slice(0, maxOffered)
}

/** The books that save their page by themselves. */
export function BoundBooks({ user }: { user: string }) {
  const [most, setMost] = useState(firstBound)
  const query = { ...boundBooksQuery(useApi(), user, most), placeholderData: keepPreviousData }
  const { data, isPlaceholderData } = useQuery(query)
  if (!data?.books.length) return null
  return (
    <Section title={t('booksOnYourDevices')}>
      <ul ref={keepFocusInRows} className="border-t border-line">
        {data.books.map((device) => (
          <BoundBook key={device.id} device={device} title={titleOf(device, data.own)} />
        ))}
      </ul>
      <MoreButton {...data} loading={isPlaceholderData} onMore={() => setMost(most + atATime)} />
    </Section>
  )
}

function BoundBook({ device, title }: { device: DeviceBook; title: string }) {
  const bind = useBind()
  const percent = percentOf(device)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <p className="min-w-0 grow basis-40 wrap-anywhere">
        {rich('titleAtPercent', { title: <bdi key="title">{title}</bdi>, percent })}
        <span className="block text-sm text-ink-soft">
          <bdi>{device.device}</bdi>
        </span>
      </p>
      <Button
        aria-label={t('wrongBookNamed', { title })}
        pending={bind.isPending}
        onClick={() =>
          bind.mutate({ device, values: { book_key: '' }, done: t('takenBack', { title }) })
        }
      >
        {t('wrongBook')}
      </Button>
    </li>
  )
}

interface Binding {
  device: DeviceBook
  values: Parameters<typeof bindDeviceBook>[2]
  /** Said once it is stored. */
  done?: string
  /** What takes it back, if the reader slipped. */
  undo?: Binding['values']
}

function useBind() {
  const api = useApi()
  const queries = useQueryClient()
  const bind = useMutation({
    mutationFn: ({ device, values }: Binding) => bindDeviceBook(api, device, values),
    // Not where it is pressed: the card may be gone by then, as the list hears of it, too.
    onSuccess: (_bound, { device, done, undo }) => {
      const action = undo && {
        label: t('undo'),
        onClick: () => bind.mutate({ device, values: undo }),
      }
      if (done) toast.success(done, action && { duration: undoTime, action })
    },
    onError: (error) => void toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.connections }),
  })
  return bind
}
