import { useState } from 'react'
import type { NewConnection } from '#shared/connection.ts'
import { useLiveConnections } from '#web/api/connections.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/connections.ts'
import { rich, t as service } from '#web/i18n/services.ts'
import { linkTo } from '#web/ui/link.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { AddExport, ExportSetup } from './add-export.tsx'
import { ApiTokens } from './api-tokens.tsx'
import { AddConnection } from './add-connection.tsx'
import { AddService } from './add-service.tsx'
import { ConnectionList } from './connection-list.tsx'
import { LinkedProviders } from './linked-providers.tsx'
import { Passkeys } from './passkeys.tsx'
import { PrivateFeeds } from './private-feeds.tsx'
import { ConnectionSetup } from './connection-setup.tsx'
import { BoundBooks, UnknownBooks } from './device-books.tsx'
import { Webhooks } from './webhooks.tsx'

/** A reader's connections: adding one, what they ask, and what they have brought. */
export function ConnectionsHome() {
  const user = useSession()?.user.id ?? ''
  useLiveConnections(user)
  const [added, setAdded] = useState<NewConnection | null>(null)
  const finish = () => setAdded(null)
  return (
    <>
      <Section title={t('koreader')}>
        <p className="-mt-2 mb-4 text-sm text-ink-soft">{t('koreaderHint')}</p>
        {added?.kind === 'koreader' ? (
          <ConnectionSetup connection={added} onDone={finish} />
        ) : (
          <AddConnection
            kind="koreader"
            hint={t('nameHint')}
            submitLabel={t('addKoreader')}
            onAdded={setAdded}
          />
        )}
      </Section>
      <Section title={service('services')}>
        <p className="-mt-2 mb-4 text-sm text-ink-soft">{service('servicesHint')}</p>
        <AddService kind="audiobookshelf" />
        <AddService kind="readwise" />
        {added?.kind === 'highlights' ? (
          <ExportSetup connection={added} onDone={finish} />
        ) : (
          <AddExport onAdded={setAdded} />
        )}
        <p className="mt-4 text-sm text-ink-soft">
          {rich('filesHint', { link: linkTo('/account/imports') })}
        </p>
      </Section>
      <UnknownBooks user={user} />
      <ConnectionList user={user} />
      <BoundBooks user={user} />
      <Passkeys user={user} />
      <LinkedProviders user={user} />
      <ApiTokens user={user} />
      <Webhooks user={user} />
      <PrivateFeeds user={user} />
    </>
  )
}
