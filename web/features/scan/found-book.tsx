import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Book } from '#shared/book.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage, isNetworkError } from '#web/api/errors.ts'
import { useSession } from '#web/api/session.ts'
import { hasOutbox, queueScannedBook } from '#web/api/outbox-changes.ts'
import {
  editionOf,
  useAddToShelf,
  useShelvesFor,
} from '#web/features/library/add-to-shelf/add-to-shelf-book.ts'
import { wantToReadShelf } from '#web/features/library/add-to-shelf/add-to-shelf-first.ts'
import { KnownState } from '#web/features/library/add-to-shelf/add-to-shelf-state.tsx'
import { ShelfSelect } from '#web/features/library/add-to-shelf/add-to-shelf-select.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/scan.ts'
import { showScannedToast } from './scanned-toast.tsx'
import { withCommas } from '#web/i18n/format.ts'

/** The one book that was scanned: what it is, and the shelf it goes to. */
export function FoundBook(props: {
  isbn: string
  onAdded: () => void
  onByHand: (isbn: string) => void
}) {
  const { isbn, onAdded, onByHand } = props
  const query = useQuery(bookQuery(useApi(), isbn))
  const { data: book } = query
  if (book) return <Found book={editionOf(book, isbn)} onAdded={onAdded} />
  if (book === null)
    return (
      <ErrorState
        tone="warning"
        title={t('notInTheCatalogue')}
        message={t('noBookWithIsbn', { isbn })}
        action={
          <Button size="sm" onClick={() => onByHand(isbn)}>
            {t('addByHand')}
          </Button>
        }
      />
    )
  if (isNetworkError(query.failureReason) && hasOutbox())
    return <KeepForLater isbn={isbn} error={query.failureReason} onKept={onAdded} />
  if (query.isError) return <ErrorState {...dataError(query)} />
  return (
    <output aria-label={t('lookingUp', { isbn })} className="flex gap-4">
      <Skeleton className="aspect-2/3 w-16" />
      <span className="grid flex-1 content-start gap-2 pt-1">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-3 w-2/5" />
      </span>
    </output>
  )
}

/** Offers to keep the ISBN and add the book later, while no catalogue can be reached. */
function KeepForLater(props: {
  isbn: string
  /** Why the book can't be looked up now. */
  error: unknown
  onKept: () => void
}) {
  const { isbn, error, onKept } = props
  const user = useSession()?.user.id ?? ''
  async function keep(): Promise<void> {
    if (!(await queueScannedBook(user, isbn, ''))) return void toast.error(errorMessage(error))
    onKept()
    toast.success(t('savedOnThisDeviceThe'))
  }
  return (
    <ErrorState
      tone="warning"
      title={t('youreOffline')}
      message={t('isbnKeptForShelf', { isbn, shelf: wantToReadShelf() })}
      action={
        <Button size="sm" onClick={() => void keep()}>
          {t('addItLater')}
        </Button>
      }
    />
  )
}

function Found({ book, onAdded }: { book: Book; onAdded: () => void }) {
  const [chosen, setChosen] = useState('')
  const { taken, only } = useShelvesFor(book)
  const shelf = chosen || only
  const [copy] = taken.values()
  const add = useAddToShelf(book)

  const put = useSingleFlight(async () => {
    try {
      const added = await add.mutateAsync({ shelf, status: 'planning' })
      onAdded()
      showScannedToast(book, added)
    } catch (error) {
      toast.error(errorMessage(error))
    }
  })

  return (
    <div className="grid gap-4">
      <div className="flex gap-4">
        <span className="w-16 shrink-0">
          <Cover
            title={book.title}
            author={book.authors[0]}
            src={book.image_links[0]}
            alt=""
            priority
          />
        </span>
        <div aria-live="polite" className="grid min-w-0 content-start gap-1">
          <h3 className="line-clamp-2 text-base leading-5 font-medium wrap-anywhere">
            <bdi>{book.title}</bdi>
          </h3>
          <p className="truncate text-sm text-ink-soft">
            <bdi>{withCommas(book.authors)}</bdi>
          </p>
          {copy ? <KnownState copy={copy} /> : null}
        </div>
      </div>
      <ShelfSelect taken={taken} value={shelf} onValueChange={setChosen} />
      <Button
        variant="primary"
        size="lg"
        disabled={!shelf || taken.has(shelf)}
        pending={add.isPending}
        onClick={() => void put()}
      >
        {t('addToShelf')}
      </Button>
    </div>
  )
}
