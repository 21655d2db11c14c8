import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '#web/api/context.ts'
import { wishlistQuery } from '#web/api/library-lists.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { ListStates, totalOf } from '#web/features/library/book-list/list-states.tsx'
import { NoBooks } from '#web/features/library/book-list/no-books.tsx'
import { WishlistRow, wishlistClass } from '#web/features/library/wishlist/wishlist-row.tsx'
import { StackedRowSkeleton } from '#web/features/library/book-list/list-row.tsx'
import { ScreenMenu } from '#web/features/profile/screen-menu.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { Container, HeaderCount, ListHeader } from '#web/ui/page-shell.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { uniqueBooks } from '#web/api/reading.ts'
import { bookAction } from '#web/features/library/reading/book-action.ts'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(wishlistQuery(api, profile.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

export default function WishlistScreen() {
  const api = useApi()
  const { profile, isOwner, name } = useProfile()
  const list = wishlistQuery(api, profile.id)
  const query = useInfiniteQuery(list)
  const title = isOwner ? t('myWishlist') : t('wishlistOf', { name })
  return (
    <Container>
      <PageMeta
        title={title}
        description={t('wishlistDescription', { username: profile.username })}
        path={`/u/${profile.username}/wishlist`}
      />
      <ListHeader
        title={title}
        badge={query.data ? <HeaderCount>{formatNumber(totalOf(query.data))}</HeaderCount> : null}
        description={isOwner ? t('wishlistHint') : undefined}
        actions={isOwner ? <ScreenMenu profile={profile} /> : null}
      />
      <h2 className="sr-only">{t('books')}</h2>
      {/* Keeps the footer below the fold while the list grows. */}
      <div className="min-h-[70dvh]">
        <BookEditorHost>
          <ListStates
            queryKey={list.queryKey}
            query={query}
            status={(count, total) => t('shownOfBooks', { count, total })}
            skeleton={
              <SkeletonGroup
                count={6}
                of={StackedRowSkeleton}
                label={t('loadingBooks')}
                className={wishlistClass}
              />
            }
            empty={<NoBooks isOwner={isOwner}>{t('emptyStartAdding')}</NoBooks>}
          >
            {(books) => (
              <ul className={wishlistClass}>
                {uniqueBooks(books).map((book, place) => (
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
