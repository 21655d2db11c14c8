import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { shelfBooksQuery, shelfQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { useSession } from '#web/api/session.ts'
import { ListFaces } from '#web/features/library/list-faces.tsx'
import { ShelfBooks } from '#web/features/library/shelf-books.tsx'
import { DeleteShelfDialog } from '#web/features/library/delete-shelf-dialog.tsx'
import { ShelfDialog } from '#web/features/library/shelf-form.tsx'
import { EmptyShelf, ShelfHeader } from '#web/features/library/shelf-header.tsx'
import { useShelfView } from '#web/features/library/shelf-view.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { ListRowSkeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/shelf'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const id = params['shelfId'] ?? ''
  const shelf = await fetch(shelfQuery(api, id))
  await startPages(shelfBooksQuery(api, id))
  return shelf.name
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta: Route.MetaFunction = () => [{ title: 'Shelf | Octavo' }]

export default function ShelfScreen() {
  const api = useApi()
  const { shelfId = '' } = useParams()
  const { data: shelf } = useSuspenseQuery(shelfQuery(api, shelfId))
  const query = useInfiniteQuery(shelfBooksQuery(api, shelfId))
  const isOwner = useSession()?.user.id === shelf.user
  const [view, setView] = useShelfView()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const navigate = useNavigate()
  useLiveReader(shelf.user)

  const shelves = `/u/${shelf.expand?.user?.username ?? ''}/shelves`
  const leave = () => void navigate(shelves)
  const opening = (name: 'edit' | 'delete') => ({
    shelf,
    open: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  })
  return (
    <>
      <title>{`${shelf.name} | Octavo`}</title>
      <Container>
        <ShelfHeader
          shelf={shelf}
          view={view}
          onViewChange={setView}
          onEdit={isOwner ? () => setDialog('edit') : undefined}
          onDelete={isOwner ? () => setDialog('delete') : undefined}
        />
        <ListFaces
          query={query}
          noun="books"
          skeleton={<SkeletonGroup count={5} of={ListRowSkeleton} label="Loading books…" />}
          empty={<EmptyShelf isOwner={isOwner} />}
        >
          {(books) => (
            <ShelfBooks
              books={books}
              view={view}
              isOwner={isOwner}
              // The last book takes its shelf's page with it.
              onRemoved={books.length === 1 ? leave : undefined}
            />
          )}
        </ListFaces>
        <ShelfDialog {...opening('edit')} />
        <DeleteShelfDialog {...opening('delete')} onDeleted={leave} />
      </Container>
    </>
  )
}
