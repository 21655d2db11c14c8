import { Clock, LibraryBig, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { authorPath, seriesPath } from '#shared/series.ts'
import type { OwnBook, SuggestedBook, Suggestions } from '#shared/suggestion.ts'
import { bookImages } from '#shared/user-book.ts'
import { t } from '#web/i18n/works.ts'
import { BookLine } from '#web/ui/book-line.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { bookPath } from './book-card.tsx'

/** One line of the suggestions. */
export interface Row {
  key: string
  path: string
  content: ReactNode
}

export interface RowGroup {
  name: string
  rows: Row[]
}

/** @param username the reader's, whose list of books a line leads to: there its page is set */
export function ownRows(books: readonly OwnBook[], username: string): Row[] {
  return books.map((book) => ({
    key: `own-${book.id}`,
    path: `/u/${username}/books?title=${encodeURIComponent(book.title)}`,
    content: (
      <BookLine
        title={book.title}
        authors={book.authors}
        images={bookImages(book)}
        end={<StatusBadge status={book.status} />}
      />
    ),
  }))
}

export function catalogueRows(books: readonly SuggestedBook[]): Row[] {
  return books.map((book) => ({
    key: `book-${book.id}`,
    path: bookPath(book) ?? `/explore?title=${encodeURIComponent(book.title)}`,
    content: (
      <BookLine
        title={book.title}
        authors={book.authors}
        images={book.image_links}
        year={book.published_date.slice(0, 4)}
      />
    ),
  }))
}

/** Series and authors that have pages. */
export function namedRows({ series, authors }: Pick<Suggestions, 'series' | 'authors'>): Row[] {
  return [
    ...series.map((one) => ({
      key: `series-${one.id}`,
      path: seriesPath(one),
      content: <NamedLine icon={LibraryBig} name={one.name} kind={t('series')} />,
    })),
    ...authors.map((one) => ({
      key: `author-${one.id}`,
      path: authorPath(one),
      content: <NamedLine icon={UserRound} name={one.name} kind={t('author')} />,
    })),
  ]
}

function NamedLine(props: { icon: LucideIcon; name: string; kind: string }) {
  const { icon: Icon, name, kind } = props
  return (
    <>
      <Icon aria-hidden className={iconClass} />
      <bdi className="line-clamp-1 min-w-0 flex-1 font-medium wrap-anywhere">{name}</bdi>
      <span className="shrink-0 text-xs text-ink-soft">{kind}</span>
    </>
  )
}

const iconClass = 'mx-1.5 size-5 shrink-0 text-ink-faint'

export function recentRows(texts: readonly string[]): Row[] {
  return texts.map((text) => ({
    key: `recent-${text}`,
    path: `/explore?q=${encodeURIComponent(text)}`,
    content: (
      <>
        <Clock aria-hidden className={iconClass} />
        <bdi className="line-clamp-1 min-w-0 flex-1 wrap-anywhere">{text}</bdi>
      </>
    ),
  }))
}

/** @param props.id of the element, for the field that says which one is meant */
export function SuggestionRow(props: {
  row: Row
  id: string
  isActive: boolean
  onChoose: () => void
}) {
  const { row, id, isActive, onChoose } = props
  return (
    <Link
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <option> has no picture
      role="option"
      aria-selected={isActive}
      // The focus stays in the field.
      tabIndex={-1}
      to={row.path}
      onClick={onChoose}
      className={classNames(
        'flex min-h-11 w-full items-center gap-3 rounded-cover px-2 py-1.5 text-sm select-none hover:bg-sunken',
        isActive && 'bg-sunken inset-ring inset-ring-line-strong',
      )}
    >
      {row.content}
    </Link>
  )
}
