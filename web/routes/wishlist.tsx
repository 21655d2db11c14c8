import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { useParams } from 'react-router'
import { bookKey, type UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { wishlistQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { profileQuery } from '#web/api/profile.ts'
import { useSession } from '#web/api/session.ts'
import { BookEditorHost } from '#web/features/library/book-editor-host.tsx'
import { ListStates } from '#web/features/library/list-states.tsx'
import { NoBooks } from '#web/features/library/no-books.tsx'
import { WishlistRow, WishlistRowSkeleton } from '#web/features/library/wishlist-row.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { t } from '#web/i18n/books.ts'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(wishlistQuery(api, profile.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** The reader's own are made with the page: {@link PageHead}. */
export const meta = () => []

export default function WishlistScreen() {
  const api = useApi()
  const { username = '' } = useParams()
  const { data: profile } = useSuspenseQuery(profileQuery(api, username))
  const query = useInfiniteQuery(wishlistQuery(api, profile.id))
  const isOwner = useSession()?.user.id === profile.id
  const title = isOwner
    ? t('myWishlist')
    : t('wishlistOf', { name: profile.name || profile.username })
  return (
    <Container>
      <PageHead
        title={title}
        description={t('wishlistDescription', { username: profile.username })}
        path={`/u/${profile.username}/wishlist`}
      />
      <PageHeader title={title} description={isOwner ? t('wishlistHint') : undefined} />
      <h2 className="sr-only">{t('books')}</h2>
      {/* What follows the list stays below the fold while it grows. */}
      <div className="min-h-[70dvh]">
        <BookEditorHost>
          <ListStates
            query={query}
            status={(count, total) => t('shownOfBooks', { count, total })}
            skeleton={
              <SkeletonGroup count={6} of={WishlistRowSkeleton} label={t('loadingBooks')} />
            }
            empty={
              <NoBooks icon={<Heart />} isOwner={isOwner}>
                {t('emptyStartAdding')}
              </NoBooks>
            }
          >
            {(books) => (
              <ul className="border-t border-line">
                {onceEach(books).map((book, place) => (
                  <WishlistRow key={book.id} book={book} isOwner={isOwner} priority={place < 6} />
                ))}
              </ul>
            )}
          </ListStates>
        </BookEditorHost>
      </div>
    </Container>
  )
}

/** A book on two shelves is one wish: the newest of its records. */
function onceEach(books: readonly UserBook[]): UserBook[] {
  const kept = new Map<string, UserBook>()
  for (const book of books) {
    const key = bookKey(book)
    if (!kept.has(key)) kept.set(key, book)
  }
  return [...kept.values()]
}
