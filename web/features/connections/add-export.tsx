import type { NewConnection } from '#shared/connection.ts'
import { t } from '#web/i18n/connections.ts'
import { t as service } from '#web/i18n/services.ts'
import { Button } from '#web/ui/button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AddConnection } from './add-connection.tsx'
import { Line, OnlyHere } from './connection-setup.tsx'
import { useDeviceAddress } from './device-address.ts'

/** Connects an app that exports highlights as if Octavo were Readwise. */
export function AddExport({ onAdded }: { onAdded: (connection: NewConnection) => void }) {
  return (
    <Disclosure summary={service('exports')}>
      <div className="mb-4 grid gap-4 text-ink">
        <p className="text-sm text-ink-soft">{service('exportHint')}</p>
        <AddConnection
          kind="highlights"
          hint={service('exportNameHint')}
          submitLabel={service('exportAdd')}
          onAdded={onAdded}
        />
      </div>
    </Disclosure>
  )
}

/** The values to paste into a new app. The token is shown only here. */
export function ExportSetup(props: { connection: NewConnection; onDone: () => void }) {
  const { connection, onDone } = props
  const { username, password } = connection
  const address = useDeviceAddress()
  return (
    <Panel className="mt-4" title={service('exportReady')} description={t('tokenReadyHint')}>
      <dl className="border-t border-line">
        <Line name={service('exportAddress')} value={`${address.url}/readwise/api/v2/`} />
        <Line name={service('readwiseKey')} value={`${username}:${password}`} />
      </dl>
      <OnlyHere {...address} />
      <Button variant="primary" size="lg" className="mt-5" onClick={onDone}>
        {t('tokenDone')}
      </Button>
    </Panel>
  )
}
