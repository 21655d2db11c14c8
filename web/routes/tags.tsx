import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { TagCount } from '#shared/tag-list.ts'
import { useApi } from '#web/api/context.ts'
import { morePages } from '#web/api/more-pages.ts'
import { dataError } from '#web/api/errors.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { tagPagesQuery } from '#web/api/diary.ts'
import { usePagesInSight } from '#web/api/use-pages-in-sight.ts'
import { ScreenMenu } from '#web/features/profile/screen-menu.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { Container, ListHeader } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/profile.ts'
import { formatNumber } from '#web/i18n/format.ts'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(tagPagesQuery(api, profile.username))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

/** The tags of a reader's books; each leads to the books that carry it. */
export default function TagsScreen() {
  const api = useApi()
  const { profile, isOwner, name } = useProfile()
  const source = tagPagesQuery(api, profile.username)
  const query = useInfiniteQuery(source)
  const list = usePagesInSight(source.queryKey, query, ({ items }) => items.map(({ tag }) => tag))
  const tags = uniqueTags(query.data?.pages.flatMap((page) => page.items) ?? [])
  const title = isOwner ? t('myTags') : t('tagsOf', { name })
  const books = `/u/${profile.username}/books`
  return (
    <Container>
      <PageMeta
        title={title}
        description={t('tagsDescription', { username: profile.username })}
        path={`/u/${profile.username}/tags`}
      />
      <ListHeader title={title} actions={isOwner ? <ScreenMenu profile={profile} /> : null} />
      {query.isError && tags.length === 0 ? <ErrorState {...dataError(query)} /> : null}
      {query.isSuccess && tags.length === 0 ? (
        <EmptyState>{isOwner ? t('noTagsYetOpenOne') : t('noTagsHereYet')}</EmptyState>
      ) : null}
      {/* Keeps the footer below the fold while the list grows. */}
      <div className="min-h-[70dvh]">
        <InfiniteList
          ref={list}
          {...morePages(query)}
          status={tags.length > 0 ? t('tagCount', { count: tags.length }) : undefined}
          skeleton={null}
        >
          <ul aria-label={t('tags')} className="flex flex-wrap gap-2">
            {tags.map(({ tag, books: number }) => (
              <li key={tag} data-place={tag} className="max-w-full">
                <Chip asChild>
                  <Link to={`${books}?tag=${encodeURIComponent(tag)}`}>
                    <bdi className="truncate">{tag}</bdi>
                    <span className="text-ink-soft tabular-nums">{formatNumber(number)}</span>
                  </Link>
                </Chip>
              </li>
            ))}
          </ul>
        </InfiniteList>
      </div>
    </Container>
  )
}

/** A tag may move to a later page between two fetches. */
function uniqueTags(tags: readonly TagCount[]): TagCount[] {
  return [...new Map(tags.map((one) => [one.tag, one])).values()]
}
