import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { loadProfile, profileQuery } from '#web/api/profile.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { ProfileHeader } from '#web/features/profile/profile-header.tsx'

const load: Load = (input) => loadProfile(input)

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** Each page below has its own. */
export const meta = () => []

export default function ProfileLayout() {
  const { username = '' } = useParams()
  const { data: profile } = useSuspenseQuery(profileQuery(useApi(), username))
  useLiveReader(profile.id)
  return (
    <>
      <ProfileHeader profile={profile} />
      <div className="pt-6 md:pt-10">
        <Outlet />
      </div>
    </>
  )
}
