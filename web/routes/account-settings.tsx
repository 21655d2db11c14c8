import { useSuspenseQuery } from '@tanstack/react-query'
import { useApi } from '#web/api/context.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { requireSession, sessionQuery } from '#web/api/session.ts'
import { SettingsCards } from '#web/features/account/settings-cards.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'

const load: Load = (input) => requireSession(input)

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: 'Settings | Octavo' }]

export default function AccountSettingsScreen() {
  const { data: session } = useSuspenseQuery(sessionQuery(useApi()))
  return (
    <Container width="narrow">
      <PageHeader title="Settings" description={session?.user.email} />
      {session?.settings ? <SettingsCards settings={session.settings} /> : null}
    </Container>
  )
}
