import { useQuery } from '@tanstack/react-query'
import { isByPercent } from '#shared/reading-position.ts'
import { bookImages } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { ownBooksQuery, peopleQuery, type PaletteBook } from '#web/api/palette.ts'
import { useSession } from '#web/api/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { useSettled } from '#web/ui/settled.ts'
import { statusLooks } from '#web/ui/status-badge.tsx'
import { has, PaletteGroup, PaletteRow } from './palette-row.tsx'

/** Time after the last letter before the server is asked, in milliseconds. */
const pause = 200

/** Books of the reader's own: what they are reading, until something is looked for. */
export function PaletteBooks({ text, onGo }: { text: string; onGo: (path: string) => void }) {
  const user = useSession()?.user
  const asked = useSettled(text, pause)
  const { data = [], isPlaceholderData } = useQuery(ownBooksQuery(useApi(), user?.id ?? '', asked))
  // Until the answer is there, what an earlier text found stays as far as it fits this one.
  const books =
    asked === text && !isPlaceholderData
      ? data
      : data.filter(({ title, authors }) => has([title, ...authors].join(' '), text))
  if (!user || books.length === 0) return null
  return (
    <PaletteGroup name={asked.length < 2 ? 'Reading now' : 'My books'}>
      {books.map((book) => (
        <PaletteRow
          key={book.id}
          value={`book ${book.id}`}
          icon={
            <Cover title={book.title} author={book.authors[0]} src={bookImages(book)[0]} alt="" />
          }
          hint={placeIn(book)}
          onSelect={() => onGo(`/u/${user.username}/books?title=${encodeURIComponent(book.title)}`)}
        >
          <bdi className="line-clamp-1 font-medium wrap-anywhere">{book.title}</bdi>
          <bdi className="line-clamp-1 text-xs text-ink-soft">{book.authors.join(', ')}</bdi>
        </PaletteRow>
      ))}
    </PaletteGroup>
  )
}

/** How far the reader is, or what became of the book. */
function placeIn(book: PaletteBook): string {
  const { status, progress, progress_percent, page_count } = book
  if (status !== 'reading') return statusLooks[status].label
  if (isByPercent(book)) return `${progress_percent}%`
  return page_count > 0 ? `${progress} of ${page_count}` : `Page ${progress}`
}

/** Readers whose profile is public. */
export function PalettePeople({ text, onGo }: { text: string; onGo: (path: string) => void }) {
  const api = useApi()
  const asked = useSettled(text, pause)
  const { data = [] } = useQuery(peopleQuery(api, asked))
  const people =
    asked === text ? data : data.filter(({ username, name }) => has(`${username} ${name}`, text))
  if (people.length === 0) return null
  return (
    <PaletteGroup name="People">
      {people.map((person) => (
        <PaletteRow
          key={person.id}
          value={`person ${person.id}`}
          icon={
            <Avatar
              size="sm"
              name={person.name || person.username}
              src={
                person.avatar ? api.files.getURL(person, person.avatar, { thumb: '100x50f' }) : null
              }
            />
          }
          hint={person.books_count === 1 ? '1 book' : `${person.books_count} books`}
          onSelect={() => onGo(`/u/${person.username}`)}
        >
          <bdi className="line-clamp-1 font-medium wrap-anywhere">
            {person.name || person.username}
          </bdi>
          <span className="line-clamp-1 text-xs text-ink-soft">@{person.username}</span>
        </PaletteRow>
      ))}
    </PaletteGroup>
  )
}
