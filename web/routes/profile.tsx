import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { activitiesQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { profileQuery } from '#web/api/profile.ts'
import { ProfileStats } from '#web/features/profile/profile-stats.tsx'
import { Timeline } from '#web/features/profile/timeline.tsx'
import { Container, Section } from '#web/ui/page-shell.tsx'
import type { Route } from './+types/profile'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(activitiesQuery(api, profile.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta: Route.MetaFunction = ({ params }) => [
  { title: `${params.username}'s profile | Octavo` },
]

export default function ProfileScreen() {
  const { username = '' } = useParams()
  const { data: profile } = useSuspenseQuery(profileQuery(useApi(), username))
  return (
    <Container>
      <ProfileStats profile={profile} />
      <Section title="Activity Timeline">
        <Timeline user={profile.id} />
      </Section>
    </Container>
  )
}
