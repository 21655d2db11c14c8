import { useQuery } from '@tanstack/react-query'
import { LibraryBig } from 'lucide-react'
import { Link, redirect, useParams, useSearchParams } from 'react-router'
import { numberOf } from '#shared/digits.ts'
import type { Book } from '#shared/book.ts'
import { authorPath, seriesPath, type NamedPage } from '#shared/series.ts'
import { useApi } from '#web/api/context.ts'
import { browserLoader, orNotFound, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { authorQuery } from '#web/api/series.ts'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { BookCard } from '#web/features/catalogue/book-card.tsx'
import { keyed, OwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { JsonLd } from '#web/ui/json-ld.tsx'
import { Container, coverGridClass, PageHeader, Section } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'

/** The page of the list that the address names; the first for any other text. */
const pageIn = (search: URLSearchParams) => {
  const page = numberOf(search.get('page') ?? '1')
  return Number.isInteger(page) && page >= 1 && page <= 50 ? page : 1
}

const load: Load = async ({ api, fetch, params, url }) => {
  const id = params['authorId'] ?? ''
  const query = authorQuery(api, id, pageIn(url.searchParams))
  const { author } = await fetch(query).catch(orNotFound(t('noSuchAuthor')))
  if (author.id !== id) throw redirect(authorPath(author) + url.search, 301)
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

export default function AuthorScreen() {
  const [search] = useSearchParams()
  const page = pageIn(search)
  const { data: found } = useQuery(authorQuery(useApi(), useParams()['authorId'] ?? '', page))
  const site = useSite().url
  useLiveReader(useSession()?.user.id)
  if (!found) return null
  const { author, books, total, hasMore } = found
  const path = authorPath(author)
  return (
    <Container>
      <PageMeta
        title={author.name}
        description={t('booksBy', { author: author.name })}
        path={path}
      />
      <JsonLd
        data={{
          '@context': 'https://schema.org',
          '@type': 'Person',
          name: author.name,
          url: site + path,
        }}
      />
      <PageHeader title={author.name} description={t('bookCount', { count: total })} />
      <BookEditorHost>
        <OwnedBooks books={keyed(books)}>
          <h2 className="sr-only">{t('booksBy', { author: author.name })}</h2>
          {books.length > 0 ? (
            <ul aria-label={t('booksBy', { author: author.name })} className={coverGridClass}>
              {books.map((book, place) => (
                <li key={book.id} data-place={book.id} className="grid">
                  <BookCard book={book} priority={place < 6} />
                </li>
              ))}
            </ul>
          ) : (
            <PastEnd author={author} />
          )}
        </OwnedBooks>
      </BookEditorHost>
      {hasMore ? (
        <Button asChild className="mt-6">
          <Link to={`${path}?page=${page + 1}`}>{t('moreBooks')}</Link>
        </Button>
      ) : null}
      <SeriesOf books={books} />
    </Container>
  )
}

/** For a page of the list that an old address names, and the list no longer has. */
function PastEnd({ author }: { author: NamedPage }) {
  const back = (
    <Button asChild size="sm">
      <Link to={authorPath(author)}>{t('booksBy', { author: author.name })}</Link>
    </Button>
  )
  return <ErrorState tone="empty" title={t('noResultsFound')} action={back} />
}

/** Links to the series that some books belong to; nothing if there are none. */
function SeriesOf({ books }: { books: readonly Book[] }) {
  const all = new Map(books.flatMap(({ series = [] }) => series.map((one) => [one.id, one])))
  if (all.size === 0) return null
  return (
    <Section title={t('seriesOfAuthor')} className="mt-12">
      <ul aria-label={t('seriesOfAuthor')} className="flex flex-wrap gap-2">
        {[...all.values()].map((one) => (
          <li key={one.id}>
            <Chip asChild>
              <Link to={seriesPath(one)}>
                <LibraryBig aria-hidden className="size-4" />
                <bdi className="font-medium text-ink wrap-anywhere">{one.name}</bdi>
              </Link>
            </Chip>
          </li>
        ))}
      </ul>
    </Section>
  )
}
