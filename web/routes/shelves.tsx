import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { LibraryBig, Plus } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { shelvesQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { profileQuery } from '#web/api/profile.ts'
import { useSession } from '#web/api/session.ts'
import { ListFaces, totalOf } from '#web/features/library/list-faces.tsx'
import { ShelfCard } from '#web/features/library/shelf-card.tsx'
import { ShelfDialog } from '#web/features/library/shelf-form.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/shelves'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(shelvesQuery(api, profile.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta: Route.MetaFunction = ({ params }) => [
  { title: `${params.username}'s Shelves | Octavo` },
]

const gridClass = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3'

export default function ShelvesScreen() {
  const api = useApi()
  const { username = '' } = useParams()
  const { data: profile } = useSuspenseQuery(profileQuery(api, username))
  const query = useInfiniteQuery(shelvesQuery(api, profile.id))
  const isOwner = useSession()?.user.id === profile.id
  const [naming, setNaming] = useState(false)
  const newShelf = isOwner ? (
    <Button variant="primary" icon={<Plus />} onClick={() => setNaming(true)}>
      New Shelf
    </Button>
  ) : null
  return (
    <Container>
      <PageHeader
        title={isOwner ? 'My Shelves' : `${profile.username}'s Shelves`}
        badge={<Badge>{totalOf(query.data)}</Badge>}
        actions={newShelf}
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
      <ShelfDialog open={naming} onOpenChange={setNaming} />
    </Container>
  )
}

function ShelfCardSkeleton() {
  return <Skeleton className="h-48 w-full md:h-52" />
}
