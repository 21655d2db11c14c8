import { useQuery } from '@tanstack/react-query'
import { LibraryBig, UserRound } from 'lucide-react'
import { isbnOf } from '#shared/book.ts'
import { isByPercent } from '#shared/reading-position.ts'
import { authorPath, seriesPath, type NamedPage } from '#shared/series.ts'
import { minSuggestLength, type OwnBook, type Suggestions } from '#shared/suggestion.ts'
import { displayWidth } from '#shared/text.ts'
import { bookImages, bookKey } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { filePath } from '#web/api/file-path.ts'
import { foundReadersQuery, readingQuery } from '#web/api/palette.ts'
import { useSession } from '#web/api/session.ts'
import { rememberedBooksQuery, suggestQuery } from '#web/api/suggestions.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { matchedFieldLabel } from '#web/ui/matched-field-label.ts'
import { useDebouncedText } from '#web/ui/debounced-text.ts'
import { statusLabel } from '#web/ui/status-badge.tsx'
import { t } from '#web/i18n/palette.ts'
import { matchesText, PaletteGroup, PaletteRow } from './palette-row.tsx'
import { withCommas } from '#web/i18n/format.ts'

/** Time after the last letter before the server is asked, in milliseconds. */
export const debounce = 200

/** The rest are on the catalogue's search page. */
const maxCatalogueBooks = 4

/** The reader's own books that match, or the ones they are reading while nothing is typed. */
export function PaletteBooks(props: { text: string; onEdit: (id: string) => Promise<void> }) {
  const { text, onEdit } = props
  const user = useSession()?.user
  const { own } = useSuggestions(text)
  const reading = useQuery(readingQuery(useApi(), user?.id ?? ''))
  const isSearch = isSearched(text)
  const books = isSearch ? own : (reading.data ?? [])
  if (!user || books.length === 0) return null
  return (
    <PaletteGroup name={isSearch ? t('myBooks') : t('readingNow')}>
      {books.map((book) => (
        <BookRow
          key={book.id}
          book={book}
          images={bookImages(book)}
          hint={positionHint(book)}
          onSelect={() => void onEdit(book.id)}
        />
      ))}
    </PaletteGroup>
  )
}

/** The best known books of the catalogue; those with a page. */
export function PaletteCatalogue({ text, onGo }: { text: string; onGo: (path: string) => void }) {
  const { books } = useSuggestions(text)
  const paged = books.filter((book) => isbnOf(book)).slice(0, maxCatalogueBooks)
  if (paged.length === 0) return null
  return (
    <PaletteGroup name={t('catalogue')}>
      {paged.map((book) => (
        <BookRow
          key={book.id}
          book={book}
          images={book.image_links}
          hint={book.published_date.slice(0, 4)}
          onSelect={() => onGo(`/book/${book.slug}`)}
        />
      ))}
    </PaletteGroup>
  )
}

/** Series and authors of the catalogue. */
export function PaletteNames({ text, onGo }: { text: string; onGo: (path: string) => void }) {
  const { series, authors } = useSuggestions(text)
  if (series.length + authors.length === 0) return null
  return (
    <PaletteGroup name={t('seriesAndAuthors')}>
      {series.map((one) => (
        <PaletteRow
          key={one.id}
          value={`series ${one.id}`}
          icon={<LibraryBig />}
          hint={t('series')}
          onSelect={() => onGo(seriesPath(one))}
        >
          <bdi className="line-clamp-1 font-medium wrap-anywhere">{one.name}</bdi>
        </PaletteRow>
      ))}
      {authors.map((one) => (
        <PaletteRow
          key={one.id}
          value={`author ${one.id}`}
          icon={<UserRound />}
          hint={t('author')}
          onSelect={() => onGo(authorPath(one))}
        >
          <bdi className="line-clamp-1 font-medium wrap-anywhere">{one.name}</bdi>
        </PaletteRow>
      ))}
    </PaletteGroup>
  )
}

/** So many books are shown for what is remembered of them. */
const maxCached = 5

/** Books of the reader's own by their tags, notes, quotes and what they are about. */
export function PaletteRemembered(props: { text: string; onEdit: (id: string) => Promise<void> }) {
  const { text, onEdit } = props
  const asked = useDebouncedText(text, debounce)
  const user = useSession()?.user.id ?? ''
  const { data = [] } = useQuery(rememberedBooksQuery(useApi(), user, asked, { titles: false }))
  // Found by its title already.
  const named = new Set(useSuggestions(text).own.map(bookKey))
  const books = data.filter((book) => !named.has(bookKey(book))).slice(0, maxCached)
  if (asked !== text || books.length === 0) return null
  return (
    <PaletteGroup name={t('remembered')}>
      {books.map((book) => (
        <BookRow
          key={book.id}
          kind="remembered"
          book={book}
          images={bookImages(book)}
          hint={matchedFieldLabel(book.found.where)}
          sentence={book.found.sentence}
          onSelect={() => void onEdit(book.id)}
        />
      ))}
    </PaletteGroup>
  )
}

function BookRow(props: {
  kind?: string
  book: Pick<OwnBook, 'id' | 'title' | 'authors'>
  images: readonly string[]
  hint: string
  /** In place of the authors. */
  sentence?: string
  onSelect: () => void
}) {
  const { kind = 'book', book, images, hint, sentence, onSelect } = props
  return (
    <PaletteRow
      value={`${kind} ${book.id}`}
      icon={<Cover title={book.title} author={book.authors[0]} src={images} alt="" />}
      hint={hint}
      onSelect={onSelect}
    >
      <bdi className="line-clamp-1 font-medium wrap-anywhere">{book.title}</bdi>
      {sentence ? (
        <bdi className="line-clamp-2 text-xs text-ink-soft wrap-anywhere">{sentence}</bdi>
      ) : (
        <bdi className="line-clamp-1 text-xs text-ink-soft">{withCommas(book.authors)}</bdi>
      )}
    </PaletteRow>
  )
}

const isSearched = (text: string) => displayWidth(text) >= minSuggestLength

/** Until the answer is there, what an earlier text found stays as far as it fits this one. */
function useSuggestions(text: string): Suggestions {
  const asked = useDebouncedText(text, debounce)
  const user = useSession()?.user.id ?? ''
  const { data, isPlaceholderData } = useQuery(suggestQuery(useApi(), user, asked))
  if (!data || !isSearched(text)) return { own: [], books: [], series: [], authors: [] }
  if (asked === text && !isPlaceholderData) return data
  const fits = ({ title, authors }: Pick<OwnBook, 'title' | 'authors'>) =>
    matchesText([title, ...authors].join(' '), text)
  const isNamed = ({ name }: NamedPage) => matchesText(name, text)
  return {
    own: data.own.filter(fits),
    books: data.books.filter(fits),
    series: data.series.filter(isNamed),
    authors: data.authors.filter(isNamed),
  }
}

/** How far the reader is, or what became of the book. */
function positionHint(book: OwnBook): string {
  const { status, progress, progress_percent, page_count } = book
  if (status !== 'reading') return statusLabel(status)
  if (isByPercent(book)) return t('percentRead', { percent: progress_percent })
  return page_count > 0
    ? t('pageOf', { page: progress, pages: page_count })
    : t('pageReached', { page: progress })
}

/** Readers whose profile is public. */
export function PaletteReaders({ text, onGo }: { text: string; onGo: (path: string) => void }) {
  const api = useApi()
  const asked = useDebouncedText(text, debounce)
  const { data = [] } = useQuery(foundReadersQuery(api, asked))
  const readers =
    asked === text
      ? data
      : data.filter(({ username, name }) => matchesText(`${username} ${name}`, text))
  if (readers.length === 0) return null
  return (
    <PaletteGroup name={t('readers')}>
      {readers.map((reader) => (
        <PaletteRow
          key={reader.id}
          value={`reader ${reader.id}`}
          icon={
            <Avatar
              size="sm"
              name={reader.name || reader.username}
              src={reader.avatar ? filePath(reader, reader.avatar, '100x50f') : null}
            />
          }
          hint={t('bookCount', { count: reader.books_count })}
          onSelect={() => onGo(`/u/${reader.username}`)}
        >
          <bdi className="line-clamp-1 font-medium wrap-anywhere">
            {reader.name || reader.username}
          </bdi>
          <bdi className="line-clamp-1 text-xs text-ink-soft">@{reader.username}</bdi>
        </PaletteRow>
      ))}
    </PaletteGroup>
  )
}
