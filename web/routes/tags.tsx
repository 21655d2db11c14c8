import { useQuery } from '@tanstack/react-query'
import { Tag } from 'lucide-react'
import { Link } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { tagsQuery } from '#web/api/book-journal.ts'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/people.ts'
import { formatNumber } from '#web/i18n/format.ts'

const load: Load = async ({ api, fetch, start, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await start(tagsQuery(api, profile.username))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

/** The tags of a reader's books; each leads to the books that carry it. */
export default function TagsScreen() {
  const api = useApi()
  const { profile, isOwner, name } = useProfile()
  const query = useQuery(tagsQuery(api, profile.username))
  const title = isOwner ? t('myTags') : t('tagsOf', { name })
  const books = `/u/${profile.username}/books`
  return (
    <Container>
      <PageMeta
        title={title}
        description={t('tagsDescription', { username: profile.username })}
        path={`/u/${profile.username}/tags`}
      />
      <PageHeader title={title} />
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {query.data?.length === 0 ? (
        <EmptyState icon={<Tag />}>
          {isOwner ? t('noTagsYetOpenOne') : t('noTagsHereYet')}
        </EmptyState>
      ) : (
        <ul aria-label={t('tags')} className="flex flex-wrap gap-2">
          {query.data?.map(({ tag, books: number }) => (
            <li key={tag} className="max-w-full">
              <Chip asChild>
                <Link to={`${books}?tag=${encodeURIComponent(tag)}`}>
                  <bdi className="truncate">{tag}</bdi>
                  <span className="text-ink-soft tabular-nums">{formatNumber(number)}</span>
                </Link>
              </Chip>
            </li>
          ))}
        </ul>
      )}
    </Container>
  )
}
