import { useQuery } from '@tanstack/react-query'
import { ChartColumn, LibraryBig } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ImportRecord } from '#shared/import.ts'
import { statuses } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { importedSpinesQuery, type ImportedSpine } from '#web/api/imports.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { formatNumber, withCommas } from '#web/i18n/format.ts'
import { t } from '#web/i18n/import.ts'
import { BookWall } from './book-wall.tsx'

/**
 * The books that an import adds or has added: a wall of spines that fills, what they amount to, and
 * two ways on.
 *
 * @param props.total how many there will be
 * @param props.aside what still needs a look
 */
export function ImportEnd(props: {
  data: ImportRecord
  total: number
  aside?: ReactNode
  children: ReactNode
}) {
  const { data, total, aside, children } = props
  const { data: books = [] } = useQuery(importedSpinesQuery(useApi(), data))
  const home = `/u/${useSession()?.user.username ?? ''}`
  const year = data.created.slice(0, 4)
  return (
    <div className="flex flex-col gap-6 md:-mt-4">
      <Container className="grid grid-cols-1 gap-3">
        <h1 className="text-3xl wrap-anywhere md:text-5xl">{heading(data, books)}</h1>
        <Sums books={books} />
      </Container>
      <div className="md:order-first">
        <BookWall books={books} count={total} />
      </div>
      <Container className="grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-2">
        <div className="grid grid-cols-1 content-start gap-5">
          {data.state === 'done' ? (
            <div className="flex flex-wrap gap-2">
              <Button variant="primary" asChild>
                <Link to={`${home}/books`}>
                  <LibraryBig aria-hidden className="size-4" />
                  {t('myBooks')}
                </Link>
              </Button>
              <Button asChild>
                <Link to={`${home}/stats?year=${year}`}>
                  <ChartColumn aria-hidden className="size-4" />
                  {t('yourYear', { year })}
                </Link>
              </Button>
            </div>
          ) : null}
          {children}
        </div>
        {aside ? <div className="grid grid-cols-1 content-start gap-6">{aside}</div> : null}
      </Container>
    </div>
  )
}

function heading({ applied }: ImportRecord, books: readonly ImportedSpine[]): string {
  const years = books.flatMap(({ year }) => (year ? [year] : []))
  const first = years.reduce((a, b) => (b < a ? b : a), years[0] ?? '')
  return first
    ? t('booksSince', { count: applied, year: first })
    : t('booksAddedCount', { count: applied })
}

/** Totals of the imported books; totals of zero are left out. */
function Sums({ books }: { books: readonly ImportedSpine[] }) {
  const counts = statuses.flatMap((status) => {
    const count = books.filter((book) => book.status === status).length
    return count ? [t(`sum.${status}`, { count })] : []
  })
  const pages = books.reduce((sum, book) => sum + book.pages, 0)
  const authors = new Set(books.flatMap((book) => book.authors)).size
  if (!counts.length) return null
  return (
    <div className="text-ink-soft tabular-nums">
      <p>{withCommas(counts)}</p>
      {pages > 0 ? <p>{t('sumPages', { pages: formatNumber(pages), authors })}</p> : null}
    </div>
  )
}
