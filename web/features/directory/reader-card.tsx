import { Users } from 'lucide-react'
import { Link } from 'react-router'
import type { DirectoryBook, DirectoryEntry } from '#shared/directory.ts'
import { filePath } from '#web/api/file-path.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CoverPlaceholder } from '#web/ui/cover-placeholder.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { t } from '#web/i18n/directory.ts'
import { tasteReason } from './taste-reason.ts'

export const readersGridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

const cardClass = 'relative flex flex-col gap-4 rounded-md border border-line p-4'
/** At the foot of the card: the boards of a row of cards are on one line. */
const coversClass = 'mt-auto grid grid-cols-3 gap-3 border-b-4 border-line'

/** Covers of a card; what a reader has less is an empty place. */
const places = [0, 1, 2]

/** A reader of the directory: who they are, how much they keep, and what they added last. */
export function ReaderCard({ reader, priority }: { reader: DirectoryEntry; priority: boolean }) {
  const { username, name, avatar, books_count, shelves_count, books, taste } = reader
  const scale = useRatingScale()
  const src = avatar ? filePath(reader, avatar, '100x50f') : null
  return (
    <li
      data-place={reader.id}
      className={`${cardClass} bg-surface transition-colors hover:border-line-strong has-focus-visible:border-line-strong`}
    >
      <div className="flex items-center gap-3">
        <Avatar name={name || username} src={src} />
        <div className="min-w-0">
          <h2 className="text-lg wrap-anywhere">
            <Link
              to={`/u/${username}`}
              prefetch="intent"
              className="after:absolute after:inset-0 after:rounded-md"
            >
              <bdi>{username}</bdi>
            </Link>
          </h2>
          <p className="text-sm text-ink-soft tabular-nums">
            {t('bookCount', { count: books_count })} · {t('shelfCount', { count: shelves_count })}
          </p>
        </div>
      </div>
      {taste ? (
        <p className="flex items-start gap-2 text-sm text-ink-soft">
          <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-rubric" />
          <span className="min-w-0 wrap-anywhere">{tasteReason(taste, scale)}</span>
        </p>
      ) : null}
      <div aria-hidden className={coversClass}>
        {places.map((place) => (
          <Place key={place} book={books[place]} priority={priority} />
        ))}
      </div>
    </li>
  )
}

function Place({ book, priority }: { book: DirectoryBook | undefined; priority: boolean }) {
  if (!book) return <CoverPlaceholder />
  const { title, authors, images } = book
  return <Cover title={title} author={authors[0]} src={images} alt="" priority={priority} />
}

export function ReaderCardSkeleton() {
  return (
    <div aria-hidden className={`${cardClass} mb-4`}>
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-full" />
        <div className="grid flex-1 gap-2">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-3 w-2/3" />
        </div>
      </div>
      <div className={coversClass}>
        {places.map((place) => (
          <Skeleton key={place} className="aspect-2/3" />
        ))}
      </div>
    </div>
  )
}
