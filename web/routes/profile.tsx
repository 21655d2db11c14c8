import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import {
  finishedMonthsQuery,
  profileNumbersQuery,
  profileQuery,
  spinesQuery,
  useProfile,
} from '#web/api/profile.ts'
import { readingNowQuery, upNextQuery } from '#web/api/reading.ts'
import { sessionQuery } from '#web/api/session.ts'
import { timelineQuery } from '#web/api/timeline.ts'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { ReadingNow } from '#web/features/library/reading/reading-now.tsx'
import { useRemovalToast } from '#web/features/library/trash/undo.ts'
import { HiddenNotice } from '#web/features/profile/hidden-notice.tsx'
import { ReadingStrip, UpNext } from '#web/features/library/reading/reading-strip.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { ProfileStats } from '#web/features/profile/profile-stats.tsx'
import { Timeline } from '#web/features/profile/timeline.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Container, Section } from '#web/ui/page-shell.tsx'
import { Part } from '#web/ui/part.tsx'
import { t } from '#web/i18n/profile.ts'

const load: Load = async ({ api, fetch, start, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  const session = await fetch(sessionQuery(api)).catch(() => null)
  await Promise.all([
    start(profileNumbersQuery(api, profile)),
    start(timelineQuery(api, profile.id)),
    // The page is worth showing without them.
    fetch(readingNowQuery(api, profile.id)).catch(() => undefined),
    fetch(finishedMonthsQuery(api, profile.username)).catch(() => undefined),
    profile.background ? undefined : fetch(spinesQuery(api, profile.id)).catch(() => undefined),
    session?.user.id === profile.id
      ? fetch(upNextQuery(api, profile.id)).catch(() => undefined)
      : undefined,
  ])
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

const none: readonly UserBook[] = []

export default function ProfileScreen() {
  const { profile, isOwner } = useProfile()
  const { data: reading = none } = useQuery(readingNowQuery(useApi(), profile.id))
  const hasAside = !isOwner && reading.length > 0
  const tellRemoved = useRemovalToast()
  return (
    <Container>
      <PageMeta
        title={t('profileOf', { username: profile.username })}
        description={t('profileDescription', { username: profile.username })}
        path={`/u/${profile.username}`}
        feed={profile.isPrivate ? undefined : `/u/${profile.username}/feed.atom`}
        picture={profile.isPrivate ? undefined : `/previews/reader/${profile.username}.jpg`}
      />
      <HiddenNotice user={profile.id} />
      {isOwner ? (
        <BookEditorHost>
          <ReadingStrip user={profile.id} className="mb-8" />
          <UpNext user={profile.id} className="mb-8" />
        </BookEditorHost>
      ) : null}
      <Part>
        <ProfileStats profile={profile} />
      </Part>
      <div
        className={
          hasAside
            ? 'lg:grid lg:grid-cols-[minmax(0,1fr)_18rem] lg:items-start lg:gap-10 xl:gap-14'
            : undefined
        }
      >
        {hasAside ? (
          <Section title={t('readingNow')} className="min-w-0 lg:sticky lg:top-24 lg:order-last">
            <ReadingNow books={reading} />
          </Section>
        ) : null}
        <Section
          title={t('activityTimeline')}
          className="min-w-0"
          aside={
            <TextLink asChild>
              <Link to={`/u/${profile.username}/diary`} className="-my-3 py-3">
                {t('diary')}
              </Link>
            </TextLink>
          }
        >
          <Timeline
            user={profile.id}
            username={profile.username}
            onRemoved={
              isOwner ? (ids) => tellRemoved(t('deletedEntry'), 'activities', ids) : undefined
            }
          />
        </Section>
      </div>
    </Container>
  )
}
