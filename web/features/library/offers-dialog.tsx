import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { offerFormats, type OfferFormat, type StoreOffer } from '#shared/offer.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { offersQuery } from '#web/api/library.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

const formatLabels: Record<OfferFormat, string> = {
  physical: 'Hard Cover',
  ebook: 'eBooks',
  audio_book: 'Audiobooks',
}

/** Where stores have a book, by its form. No store hears of it before a link is followed. */
export function OffersDialog(props: {
  book: Pick<UserBook, 'title' | 'authors' | 'isbn'>
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { book, open, onOpenChange } = props
  const query = useQuery({ ...offersQuery(useApi(), book), enabled: open })
  return (
    <Dialog
      title="Offers"
      description={<bdi className="line-clamp-2 wrap-anywhere">{book.title}</bdi>}
      open={open}
      onOpenChange={onOpenChange}
    >
      {query.isError ? (
        <ErrorState
          title="Data Error"
          message={errorMessage(query.error)}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : query.data ? (
        <Tabs
          label="Formats"
          tabs={offerFormats.map((format) => ({
            value: format,
            label: formatLabels[format],
            content: <Stores offers={query.data} format={format} />,
          }))}
        />
      ) : (
        <SkeletonGroup count={4} of={LineSkeleton} label="Loading offers…" className="grid gap-2" />
      )}
    </Dialog>
  )
}

function Stores({ offers, format }: { offers: readonly StoreOffer[]; format: OfferFormat }) {
  const stores = offers.filter(({ links }) => links[format])
  if (stores.length === 0)
    return <p className="py-4 text-sm text-ink-soft">No store has it in this form.</p>
  return (
    <ul className="grid gap-2">
      {stores.map(({ store, links }) => (
        <li key={store}>
          <a
            href={links[format]}
            target="_blank"
            rel="noreferrer noopener"
            className="flex min-h-12 items-center justify-between gap-4 rounded-md border border-line px-4 font-medium transition-colors hover:border-line-strong hover:bg-sunken"
          >
            {store}
            <ExternalLink aria-label="Opens in a new tab" className="size-4 text-ink-soft" />
          </a>
        </li>
      ))}
    </ul>
  )
}

function LineSkeleton() {
  return <Skeleton className="h-12 w-full" />
}
