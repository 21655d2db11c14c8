import { apiTokensQuery } from '#web/api/api-tokens.ts'
import { boundBooksQuery, connectionsQuery, unknownBooksQuery } from '#web/api/connections.ts'
import { passkeysQuery } from '#web/api/passkeys.ts'
import { linkedProvidersQuery } from '#web/api/linked-providers.ts'
import { webhooksQuery } from '#web/api/webhooks.ts'
import { privateFeedQuery } from '#web/api/private-feeds.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { requireSession } from '#web/api/session.ts'
import { ConnectionsHome } from '#web/features/connections/connections-home.tsx'
import { firstBound, firstUnknown } from '#web/features/connections/device-books.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/connections.ts'

const load: Load = async (input) => {
  const { user } = await requireSession(input)
  await Promise.all([
    input.start(connectionsQuery(input.api, user.id)),
    input.start(unknownBooksQuery(input.api, user.id, firstUnknown)),
    input.start(boundBooksQuery(input.api, user.id, firstBound)),
    input.start(passkeysQuery(input.api, user.id)),
    input.start(linkedProvidersQuery(input.api, user.id)),
    input.start(apiTokensQuery(input.api, user.id)),
    input.start(webhooksQuery(input.api, user.id)),
    input.start(privateFeedQuery(input.api, user.id)),
  ])
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: `${t('connections')} | Octavo` }]

export default function AccountConnectionsScreen() {
  return (
    <Container width="narrow">
      <PageHeader title={t('connections')} description={t('connectionsHint')} />
      <ConnectionsHome />
    </Container>
  )
}
