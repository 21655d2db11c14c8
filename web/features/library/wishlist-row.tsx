import { ShoppingBag } from 'lucide-react'
import { Link } from 'react-router'
import { bookImages, type UserBook } from '#shared/user-book.ts'
import { somethingWrong } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { useLateDialog } from '#web/ui/late-dialog.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { BookButton } from './book-button.tsx'
import { bookPath } from './book-path.ts'

const loadOffers = async () => (await import('./offers-dialog.tsx')).OffersDialog

const rowClass =
  'relative grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-x-4 gap-y-3 border-b border-line py-4 md:grid-cols-[4rem_minmax(0,1fr)_auto] md:gap-x-6'

/** A book that somebody would like to read, and where it is to be had. */
export function WishlistRow(props: { book: UserBook; isOwner: boolean; priority: boolean }) {
  const { book, isOwner, priority } = props
  const { title, authors } = book
  const offers = useLateDialog(loadOffers, () => toast.error(somethingWrong))
  return (
    <li className={rowClass}>
      <span className="self-start">
        <Cover
          title={title}
          author={authors[0]}
          src={bookImages(book)[0]}
          priority={priority}
          alt=""
        />
      </span>
      <div className="grid min-w-0 gap-1">
        <h3 className="line-clamp-2 text-base leading-5 font-medium wrap-anywhere">
          <Link
            to={bookPath(book) ?? `/shelf/${book.shelf}`}
            prefetch="intent"
            className="after:absolute after:inset-0 hover:underline hover:decoration-line-strong hover:underline-offset-4"
          >
            <bdi>{title}</bdi>
          </Link>
        </h3>
        {authors.length > 0 ? (
          <p className="truncate text-sm text-ink-soft">
            <bdi>{authors.join(', ')}</bdi>
          </p>
        ) : null}
        <p className="text-sm text-ink-faint tabular-nums">ISBN {book.isbn}</p>
      </div>
      <div className="relative z-10 flex flex-wrap gap-2 max-md:col-span-2 max-md:justify-between md:justify-end">
        <Button
          size="sm"
          icon={<ShoppingBag />}
          aria-label={`View offers for ${title}`}
          {...offers.button}
        >
          View Offers
        </Button>
        {isOwner ? <BookButton book={book} /> : null}
      </div>
      {offers.Dialog ? <offers.Dialog key={offers.round} book={book} {...offers.state} /> : null}
    </li>
  )
}

/** The shape of a row that is still coming. */
export function WishlistRowSkeleton() {
  return (
    <div aria-hidden className={rowClass}>
      <Skeleton className="aspect-2/3 w-full" />
      <div className="grid gap-2">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-3 w-2/5" />
      </div>
      <Skeleton className="h-9 w-40 max-md:col-span-2 max-md:h-11 max-md:w-full" />
    </div>
  )
}
