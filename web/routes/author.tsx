import { useQuery } from '@tanstack/react-query'
import { Link, redirect, useParams, useSearchParams } from 'react-router'
import { numberOf } from '#shared/digits.ts'
import { authorPath } from '#shared/series.ts'
import { useApi } from '#web/api/context.ts'
import { browserLoader, orNotFound, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { authorQuery } from '#web/api/series.ts'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { BookCard } from '#web/features/catalogue/book-card.tsx'
import { keyed, OwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Button } from '#web/ui/button.tsx'
import { JsonLd } from '#web/ui/json-ld.tsx'
import { Container, coverGridClass, PageHeader } from '#web/ui/page-shell.tsx'
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

export const meta = noMeta

export default function AuthorScreen() {
  const [search] = useSearchParams()
  const page = pageIn(search)
  const { data: found } = useQuery(authorQuery(useApi(), useParams()['authorId'] ?? '', page))
  const site = useSite().url
  useLiveReader(useSession()?.user.id)
  if (!found) return null
  const { author, books, hasMore } = found
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
      <PageHeader title={author.name} />
      <BookEditorHost>
        <OwnedBooks books={keyed(books)}>
          <h2 className="sr-only">{t('booksBy', { author: author.name })}</h2>
          <ul aria-label={t('booksBy', { author: author.name })} className={coverGridClass}>
            {books.map((book, place) => (
              <li key={book.id} data-place={book.id} className="grid">
                <BookCard book={book} priority={place < 6} />
              </li>
            ))}
          </ul>
        </OwnedBooks>
      </BookEditorHost>
      {hasMore ? (
        <Button asChild className="mt-6">
          <Link to={`${path}?page=${page + 1}`}>{t('moreBooks')}</Link>
        </Button>
      ) : null}
    </Container>
  )
}
