import { browserLoader, serverLoader } from '#web/api/load.ts'
import { visitorsOnly } from '#web/api/session.ts'
import { EntryPage } from '#web/features/account/entry-page.tsx'

export const loader = serverLoader(visitorsOnly)
export const clientLoader = browserLoader(visitorsOnly)

export const meta = () => [{ title: 'Sign Up | Octavo' }]

export default function SignUpScreen() {
  return <EntryPage key="signup" isNew />
}
