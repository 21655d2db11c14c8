import { data, redirect } from 'react-router'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { profilePathOfQuery } from '#web/features/profile/path-of-query.ts'
import { t } from '#web/i18n/profile.ts'

const load: Load = ({ url }) => {
  const path = profilePathOfQuery(url)
  throw path ? redirect(path) : data({ message: t('userProfileNotFound') }, { status: 404 })
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** Never shown: the loader leads to the profile that the query names, or answers 404. */
export default function ProfileOfQuery() {
  return null
}
