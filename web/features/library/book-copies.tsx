import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { TextLink } from '#web/ui/link.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { useCopies } from './add-to-shelf-book.ts'
import { BookButton } from './book-button.tsx'
import { progressText } from './book-progress.tsx'

/** Where the reader has this book already, and how far each copy is read. */
export function BookCopies({ book }: { book: Book }) {
  const { data: copies = [] } = useCopies(book)
  return copies.length > 0 ? <CopyList copies={copies} /> : null
}

export function CopyList({ copies }: { copies: readonly UserBook[] }) {
  return (
    <ul aria-label="On your shelves" className="grid grid-cols-1 gap-3">
      {copies.map((copy) => (
        <Copy key={copy.id} copy={copy} />
      ))}
    </ul>
  )
}

function Copy({ copy }: { copy: UserBook }) {
  return (
    <li className="grid grid-cols-1 gap-2 rounded-md border border-line bg-surface p-4">
      <p className="text-sm wrap-anywhere">
        On your shelf{' '}
        <TextLink asChild tone="ink">
          <Link to={`/shelf/${copy.shelf}`}>
            <bdi>{copy.expand?.shelf?.name ?? 'shelf'}</bdi>
          </Link>
        </TextLink>
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <ProgressBar
          className="min-w-40 flex-1"
          percent={copy.progress_average}
          label={`Progress of ${copy.title}`}
          text={progressText(copy)}
          showText
        />
        <BookButton book={copy} />
      </div>
    </li>
  )
}
