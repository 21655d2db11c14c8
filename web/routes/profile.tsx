import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { activitiesQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { profileQuery } from '#web/api/profile.ts'
import { useSession } from '#web/api/session.ts'
import { useRemovalToast } from '#web/features/library/undo.ts'
import { HiddenNotice } from '#web/features/profile/hidden-notice.tsx'
import { PageHead } from '#web/features/profile/page-head.tsx'
import { ProfileStats } from '#web/features/profile/profile-stats.tsx'
import { Timeline } from '#web/features/profile/timeline.tsx'
import { Container, Section } from '#web/ui/page-shell.tsx'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(activitiesQuery(api, profile.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** The reader's own are made with the page: {@link PageHead}. */
export const meta = () => []

export default function ProfileScreen() {
  const { username = '' } = useParams()
  const { data: profile } = useSuspenseQuery(profileQuery(useApi(), username))
  const isOwner = useSession()?.user.id === profile.id
  const tellRemoved = useRemovalToast()
  return (
    <Container>
      <PageHead
        title={`${profile.username}'s profile`}
        description={`What ${profile.username} reads, rates and keeps on shelves.`}
        path={`/u/${profile.username}`}
        picture={profile.isPrivate ? undefined : `/previews/reader/${profile.username}.jpg`}
      />
      <HiddenNotice user={profile.id} />
      <ProfileStats profile={profile} />
      <Section title="Activity Timeline">
        <Timeline
          user={profile.id}
          onRemoved={
            isOwner ? ({ id }) => tellRemoved('Deleted the entry', 'activities', [id]) : undefined
          }
        />
      </Section>
    </Container>
  )
}
