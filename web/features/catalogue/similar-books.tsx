import { useQuery } from '@tanstack/react-query'
import type { Book } from '#shared/book.ts'
import { similarQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { keyed, OwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { Section, shelfClass } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { genreName } from '#web/i18n/genres.ts'
import { BookCard } from './book-card.tsx'
import { withCommas } from '#web/i18n/format.ts'

/** Books that readers shelve with this one, then books about the same; empty if there are none. */
export function SimilarBooks({ book }: { book: Book }) {
  const { data } = useQuery(similarQuery(useApi(), book.id))
  if (!data || data.books.length === 0) return null
  const { books, readers, matches } = data
  return (
    <Section title={t('moreLikeThis')} className="mt-12">
      <OwnedBooks books={keyed(books)}>
        <ul aria-label={t('moreLikeThis')} className={shelfClass}>
          {books.map((other) => (
            <li key={other.id} className="grid">
              <BookCard
                book={other}
                footer={
                  <p className="line-clamp-3 text-xs text-ink-soft">
                    {reason(readers[other.id], matches[other.id]?.subjects)}
                  </p>
                }
              />
            </li>
          ))}
        </ul>
      </OwnedBooks>
    </Section>
  )
}

function reason(readers: number | undefined, subjects: string[] = []): string {
  if (readers !== undefined) return t('bothOnShelves', { count: readers })
  return subjects.length > 0
    ? t('alsoSubjects', { subjects: withCommas(subjects.slice(0, 3).map(genreName)) })
    : t('similarSubject')
}
