import { useQuery } from '@tanstack/react-query'
import type { Book } from '#shared/book.ts'
import { similarQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { keyed, OwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { rich, t as tWorks } from '#web/i18n/works.ts'
import { genreName } from '#web/i18n/genres.ts'
import { BookCard } from './book-card.tsx'
import { withCommas } from '#web/i18n/format.ts'

/** Books that readers shelve or want with this one, then books about the same; empty without any. */
export function SimilarBooks({ book }: { book: Book }) {
  const { data } = useQuery(similarQuery(useApi(), book.id))
  if (!data || data.books.length === 0) return null
  const { books, readers, listed, matches } = data
  return (
    <Section title={t('moreLikeThis')} className="mt-12">
      <OwnedBooks books={keyed(books)}>
        <ul aria-label={t('moreLikeThis')} className="cover-row">
          {books.map((other) => (
            <li key={other.id} data-place={other.id} className="grid">
              <BookCard
                book={other}
                footer={
                  <p className="line-clamp-3 text-xs text-ink-soft">
                    {listed.includes(other.id)
                      ? tWorks('onSameLists')
                      : reason(readers[other.id], matches[other.id]?.subjects)}
                  </p>
                }
              />
            </li>
          ))}
        </ul>
      </OwnedBooks>
      {listed.length > 0 ? (
        <p className="mt-4 text-xs text-ink-soft">
          {rich('listsFrom', {
            link: (name) => (
              <TextLink key="source" external href="https://github.com/zygmuntz/goodbooks-10k">
                {name}
              </TextLink>
            ),
          })}
        </p>
      ) : null}
    </Section>
  )
}

function reason(readers: number | undefined, subjects: string[] = []): string {
  if (readers !== undefined) return t('bothOnShelves', { count: readers })
  return subjects.length > 0
    ? t('alsoSubjects', { subjects: withCommas(subjects.slice(0, 3).map(genreName)) })
    : t('similarSubject')
}
