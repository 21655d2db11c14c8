import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { isbnPath } from '#shared/book-path.ts'
import type { UserBook } from '#shared/user-book.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { t } from '#web/i18n/library.ts'
import { classNames } from '#web/ui/class-names.ts'
import { TextLink } from '#web/ui/link.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { BookProgress } from '../reading/book-progress.tsx'

/** The reader of a book, their progress and their rating. */
export default function StateOfReader({ book }: { book: UserBook }) {
  const { expand, progress_average, rating, status } = book
  const username = expand?.user?.username ?? ''
  const path = isbnPath(book)
  const { data: found } = useQuery({ ...bookQuery(useApi(), book.isbn), enabled: Boolean(path) })
  // The address of a book that no catalogue has leads back here. The link leaves its room.
  const hasPage = found !== null
  return (
    <section
      aria-label={username}
      className="grid gap-3 rounded-md border border-line bg-surface p-4 dark:border-transparent"
    >
      <TextLink asChild tone="ink" className="-my-2 justify-self-start py-2 font-medium">
        <Link to={`/u/${username}`}>
          <bdi>{username}</bdi>
        </Link>
      </TextLink>
      <StatusBadge status={status} />
      {rating > 0 ? <Rating value={rating} /> : null}
      {progress_average > 0 && status !== 'completed' ? <BookProgress book={book} /> : null}
      {path ? (
        <TextLink
          asChild
          className={classNames('-my-2 justify-self-start py-2', !hasPage && 'invisible')}
        >
          <Link to={path}>{t('bookPage')}</Link>
        </TextLink>
      ) : null}
    </section>
  )
}
