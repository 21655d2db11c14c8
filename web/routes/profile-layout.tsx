import { Outlet, useLocation } from 'react-router'
import { isNotFound } from '#web/api/errors.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { loadProfile, useProfile } from '#web/api/profile.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { ProfileHeader } from '#web/features/profile/profile-header.tsx'
import { ErrorPage } from '#web/features/shell/error-page.tsx'

const load: Load = (input) => loadProfile(input)

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

export default function ProfileLayout() {
  const { profile, error, isOwner } = useProfile()
  const { pathname } = useLocation()
  useLiveReader(profile.id)
  if (isNotFound(error)) return <ErrorPage error={error} />
  return (
    <>
      <ProfileHeader profile={profile} />
      {/* On the own library's screens the books begin as high up as they can. */}
      <div
        className={isOwner && isBelowProfile(pathname) ? 'max-md:-mt-3 md:pt-5' : 'pt-6 md:pt-10'}
      >
        {/* A new reader's page starts without the last one's selection and text. */}
        <Outlet key={profile.id} />
      </div>
    </>
  )
}

/** @returns whether the page is below a reader's overview */
function isBelowProfile(pathname: string): boolean {
  return /^\/u\/[^/]+\/./.test(pathname)
}
