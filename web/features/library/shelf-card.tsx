import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { Cover } from '#web/ui/cover.tsx'

const shown = 4

/** A shelf as its first covers, with its name and how many books stand on it. */
export function ShelfCard({ shelf }: { shelf: Bookshelf }) {
  const latest = shelf.latest.slice(0, shown)
  const more = shelf.book_count - latest.length
  return (
    <li className="relative grid gap-3 rounded-md border border-line bg-surface p-4 transition-colors hover:border-line-strong">
      <div aria-hidden className="flex h-28 items-end gap-2 md:h-32">
        {latest.map(({ title, author, cover }) => (
          <span key={title + author} className="w-[21%]">
            <Cover title={title} author={author} src={cover} alt="" />
          </span>
        ))}
        {more > 0 ? (
          <span className="self-center font-serif text-lg text-ink-soft tabular-nums">+{more}</span>
        ) : null}
        {shelf.book_count === 0 ? <span className="h-px w-full bg-line-strong" /> : null}
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 truncate text-lg">
          <Link
            to={`/shelf/${shelf.id}`}
            prefetch="intent"
            className="after:absolute after:inset-0 after:rounded-md"
          >
            <bdi>{shelf.name}</bdi>
          </Link>
        </h3>
        <span className="flex shrink-0 items-center gap-2 text-sm text-ink-soft tabular-nums">
          {shelf.visibility === 'private' ? <Lock className="size-4" aria-label="Private" /> : null}
          {booksText(shelf.book_count)}
        </span>
      </div>
    </li>
  )
}

/** "1 book", "12 books". */
export function booksText(count: number): string {
  return `${count} ${count === 1 ? 'book' : 'books'}`
}
