import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { requireSession } from '#web/api/session.ts'
import { Welcome } from '#web/features/welcome/welcome.tsx'

const load: Load = requireSession

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: 'Welcome | Octavo' }]

export default function WelcomeScreen() {
  return <Welcome />
}
