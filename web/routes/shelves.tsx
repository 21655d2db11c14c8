import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { LibraryBig, Plus } from 'lucide-react'
import { useParams } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { shelvesQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { profileQuery } from '#web/api/profile.ts'
import { useSession } from '#web/api/session.ts'
import { ListFaces, totalOf } from '#web/features/library/list-faces.tsx'
import { ShelfCard, ShelfCardSkeleton } from '#web/features/library/shelf-card.tsx'
import { useShelfDialog } from '#web/features/library/use-shelf-dialog.ts'
import { PageHead } from '#web/features/profile/page-head.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(shelvesQuery(api, profile.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** The reader's own are made with the page: {@link PageHead}. */
export const meta = () => []

const gridClass = 'grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 lg:grid-cols-3'

export default function ShelvesScreen() {
  const api = useApi()
  const { username = '' } = useParams()
  const { data: profile } = useSuspenseQuery(profileQuery(api, username))
  const query = useInfiniteQuery(shelvesQuery(api, profile.id))
  const isOwner = useSession()?.user.id === profile.id
  const title = isOwner ? 'My Shelves' : `${profile.username}'s Shelves`
  const total = totalOf(query.data)
  const { Dialog, round, state, button } = useShelfDialog()
  const newShelf = isOwner ? (
    <Button variant="primary" icon={<Plus />} {...button}>
      New Shelf
    </Button>
  ) : null
  return (
    <Container>
      <PageHead
        title={title}
        description={`The shelves of ${profile.username}.`}
        path={`/u/${profile.username}/shelves`}
      />
      <PageHeader
        title={title}
        badge={query.data ? <Badge>{total}</Badge> : null}
        // Without a shelf the empty page has the button.
        actions={total > 0 ? newShelf : null}
      />
      <ListFaces
        query={query}
        noun="shelves"
        skeleton={
          <SkeletonGroup
            count={6}
            of={ShelfCardSkeleton}
            label="Loading shelves…"
            className={gridClass}
          />
        }
        empty={
          <EmptyState icon={<LibraryBig />} title="No shelves found" action={newShelf}>
            {isOwner ? 'Create a shelf to add books.' : 'Nothing stands here yet.'}
          </EmptyState>
        }
      >
        {(shelves) => (
          <ul className={gridClass}>
            {shelves.map((shelf) => (
              <ShelfCard key={shelf.id} shelf={shelf} />
            ))}
          </ul>
        )}
      </ListFaces>
      {Dialog ? <Dialog key={round} {...state} /> : null}
    </Container>
  )
}
