import { Outlet } from 'react-router'
import { isNotFound } from '#web/api/errors.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { loadProfile, useProfile } from '#web/api/profile.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { ProfileHeader } from '#web/features/profile/profile-header.tsx'
import { GonePage } from '#web/features/shell/error-page.tsx'

const load: Load = (input) => loadProfile(input)

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

export default function ProfileLayout() {
  const { profile, error } = useProfile()
  useLiveReader(profile.id)
  if (isNotFound(error)) return <GonePage error={error} />
  return (
    <>
      <ProfileHeader profile={profile} />
      <div className="pt-6 md:pt-10">
        {/* What is selected or typed on one reader's page is not so on the next one's. */}
        <Outlet key={profile.id} />
      </div>
    </>
  )
}
