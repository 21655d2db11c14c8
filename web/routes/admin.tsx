import { data } from 'react-router'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { sessionQuery } from '#web/api/session.ts'
import { lazy } from '#web/ui/lazy.ts'

const AdminPage = lazy(() => import('#web/features/admin/admin-page.tsx'))

/** For everybody but administrators there is nothing here, and no code of it is loaded. */
const load: Load = async (input) => {
  const session = await input.fetch(sessionQuery(input.api))
  if (!session?.isAdmin) throw data({}, { status: 404 })
  const { loadSection } = await import('#web/features/admin/sections.ts')
  await loadSection(input)
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: 'Octavo' }]

export default function AdminScreen() {
  return <AdminPage />
}
