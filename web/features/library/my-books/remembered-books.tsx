import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { booksByIds } from '#web/api/books-by-ids.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { rememberedBooksQuery } from '#web/api/suggestions.ts'
import { t } from '#web/i18n/books.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { BookList } from '../book-list/book-list.tsx'
import { BookRowSkeleton } from '../book-list/list-row.tsx'

/** The reader's own books by what they remember of them, each with the sentence that has the words. */
export default function RememberedBooks({ user, text }: { user: string; text: string }) {
  const api = useApi()
  const found = useQuery({
    ...rememberedBooksQuery(api, user, text, { titles: true }),
    placeholderData: keepPreviousData,
  })
  if (found.isPending)
    return <SkeletonGroup count={3} of={BookRowSkeleton} label={t('loadingBooks')} />
  if (!found.data) return <ErrorState {...dataError(found)} />
  const empty = <ErrorState tone="empty" title={t('noResultsFound')} message={t('noBooksMatch')} />
  if (found.data.length === 0) return empty
  const ids = found.data.map(({ id }) => id)
  return (
    <BookList
      key={ids.join()}
      source={booksByIds(api, ids)}
      isOwner
      selection={undefined}
      empty={empty}
      found={new Map(found.data.map((book) => [book.id, book.found]))}
    />
  )
}
