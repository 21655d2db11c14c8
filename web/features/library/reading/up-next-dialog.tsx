import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookMove } from '#shared/book-order.ts'
import { bookImages } from '#shared/user-book.ts'
import { moveBook, queueQuery, applyMove } from '#web/api/book-order.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, bookErrorMessage } from '#web/api/errors.ts'
import { bookEditKey, refreshLibrary } from '#web/api/library.ts'
import { usePagesInSight } from '#web/api/use-pages-in-sight.ts'
import { uniqueBooks } from '#web/api/reading.ts'
import { t } from '#web/i18n/library.ts'
import { BookLine } from '#web/ui/book-line.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SortableList, type Placed, type SortableWords } from '#web/ui/sortable-list.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.tsx'
import { keys } from '#web/api/query-keys.ts'

/** All that a reader plans to read, to be put in order. */
export function UpNextDialog(props: {
  user: string
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { user, open, onOpenChange } = props
  const queue = queueQuery(useApi(), user)
  const query = useInfiniteQuery(queue)
  const list = usePagesInSight(queue.queryKey, query, ({ items }) => items.map(({ id }) => id))
  const books = uniqueBooks(query.data?.pages.flatMap(({ items }) => items) ?? [])
  const { move, undo } = useMove(user)
  return (
    <Dialog
      title={t('upNext.title')}
      description={t('upNext.description')}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          {undo ? <Button onClick={undo}>{t('undo')}</Button> : null}
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            {t('done')}
          </Button>
        </>
      }
    >
      {query.isPending ? <Spinner /> : null}
      {query.isError && books.length === 0 ? <ErrorState {...dataError(query)} /> : null}
      {query.isSuccess && books.length === 0 ? (
        <p className="text-ink-soft">{t('upNext.empty')}</p>
      ) : null}
      <div ref={list}>
        <SortableList
          label={t('upNext.title')}
          items={books.map((book) => ({ ...book, name: book.title }))}
          words={words()}
          onMove={(book, after) => {
            const place = books.findIndex(({ id }) => id === book.id)
            move({ list: 'queue', book: book.id, after }, books[place - 1]?.id ?? '')
          }}
        >
          {(book) => (
            <BookLine title={book.title} authors={book.authors} images={bookImages(book)} large />
          )}
        </SortableList>
      </div>
      {query.hasNextPage ? (
        <Button
          className="mt-3 w-full"
          pending={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('upNext.more')}
        </Button>
      ) : null}
    </Dialog>
  )
}

function words(): SortableWords {
  const at = (key: `upNext.${'lifted' | 'moved' | 'dropped' | 'cancelled'}`) => {
    return ({ name, place, count }: Placed) => t(key, { title: name, place, count })
  }
  return {
    instructions: t('upNext.instructions'),
    handle: (title) => t('upNext.move', { title }),
    toTop: (title) => t('upNext.toTop', { title }),
    lifted: at('upNext.lifted'),
    moved: at('upNext.moved'),
    dropped: at('upNext.dropped'),
    cancelled: at('upNext.cancelled'),
  }
}

/** Moves a book optimistically. The last move can be undone. */
function useMove(user: string) {
  const api = useApi()
  const queries = useQueryClient()
  const [back, setBack] = useState<BookMove | null>(null)
  const { mutate } = useMutation({
    mutationKey: [...bookEditKey, 'order'],
    scope: { id: 'book-order' },
    mutationFn: (move: BookMove) => moveBook(api, move),
    onMutate: async (move) => {
      await queries.cancelQueries({ queryKey: keys.books })
      applyMove(queries, api, user, move)
    },
    onError: (error) => {
      setBack(null)
      void toast.error(bookErrorMessage(error))
    },
    onSettled: () => {
      // A fetch now would miss moves still being saved, so only the last move fetches.
      if (queries.isMutating({ mutationKey: bookEditKey }) === 1) refreshLibrary(queries)
    },
  })
  return {
    move: (move: BookMove, before: string) => {
      setBack({ ...move, after: before })
      mutate(move)
    },
    undo: back
      ? () => {
          setBack(null)
          mutate(back)
        }
      : null,
  }
}
