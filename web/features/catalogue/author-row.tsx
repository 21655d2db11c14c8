import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import { authorPath } from '#shared/series.ts'
import { useApi } from '#web/api/context.ts'
import { authorQuery } from '#web/api/series.ts'
import { keyed, OwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { BookCard } from './book-card.tsx'

/** One row of the widest grid. */
const maxInRow = 6

/** Other books by a book's first author, most read first, without those of its series. */
export function AuthorRow({ book }: { book: Book }) {
  const [id = ''] = book.author_ids ?? []
  const { data } = useQuery({ ...authorQuery(useApi(), id, 1), enabled: id !== '' })
  if (!data) return null
  const series = new Set(book.series?.map((each) => each.id))
  const books = data.books
    .filter((other) => other.id !== book.id && other.title !== book.title)
    .filter((other) => !other.series?.some((each) => series.has(each.id)))
    .slice(0, maxInRow)
  if (books.length === 0) return null
  const title = t('moreBy', { author: data.author.name })
  const all = (
    <TextLink asChild tone="ink" className="text-sm">
      <Link to={authorPath(data.author)}>{t('moreBooks')}</Link>
    </TextLink>
  )
  return (
    <Section title={title} aside={data.books.length > maxInRow && all} className="mt-12">
      <OwnedBooks books={keyed(books)}>
        <ul aria-label={title} className="cover-row">
          {books.map((other) => (
            <li key={other.id} data-place={other.id} className="grid">
              <BookCard book={other} />
            </li>
          ))}
        </ul>
      </OwnedBooks>
    </Section>
  )
}
