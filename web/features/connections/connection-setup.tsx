import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NewConnection } from '#shared/connection.ts'
import { rich, t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { copyText } from './copy-text.tsx'
import { useDeviceAddress, type DeviceAddress } from './device-address.ts'

/** The values to type on a new device. The password is shown only here. */
export function ConnectionSetup(props: { connection: NewConnection; onDone: () => void }) {
  const { connection, onDone } = props
  const { username, password } = connection
  const address = useDeviceAddress()
  const { url } = address
  return (
    <Panel title={t('setupTitle')} description={t('setupHint')}>
      <dl className="border-t border-line">
        <Line name={t('serverAddress')} value={`${url}/kosync`} />
        <Line name={t('username')} value={username} />
        <Line name={t('password')} value={password}>
          {password.match(/.{4}/g)?.map((group) => (
            <span key={group} className="me-3 tracking-wider">
              {group}
            </span>
          ))}
        </Line>
      </dl>
      <OnlyHere {...address} />
      <Steps keys={['stepServer', 'stepSignIn', 'stepKeep', 'stepMatching']} />
      <h3 className="mt-8 font-medium">{t('timeTitle')}</h3>
      <p className="mt-1 mb-4 text-sm text-ink-soft">{t('timeHint')}</p>
      <dl className="border-t border-line">
        <Line name={t('timeAddress')} value={`${url}/dav`} />
      </dl>
      <Steps keys={['stepCloud', 'stepStatistics', 'stepProfile']} />
      <Button variant="primary" size="lg" className="mt-5" onClick={onDone}>
        {t('typedThem')}
      </Button>
    </Panel>
  )
}

/** Says of an address that no device can reach it. */
export function OnlyHere({ onlyHere }: DeviceAddress) {
  return onlyHere ? <p className="mt-4 text-sm">{t('onlyHere', { host: onlyHere })}</p> : null
}

type Step = Extract<Parameters<typeof rich>[0], `step${string}`>

function Steps({ keys }: { keys: readonly Step[] }) {
  return (
    <ol className="mt-5 grid list-decimal gap-2 ps-5 text-sm text-ink-soft">
      {keys.map((key) => (
        <li key={key}>{rich(key, { b: menuWords })}</li>
      ))}
    </ol>
  )
}

/** Words of KOReader's menus. */
const menuWords = (words: ReactNode) => <strong className="font-medium text-ink">{words}</strong>

/** A value to type or paste elsewhere, with a button that copies it. */
export function Line(props: { name: string; value: string; children?: ReactNode }) {
  const { name, value, children } = props
  return (
    <div className="border-b border-line py-2">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="flex items-center justify-between gap-3 text-lg font-medium">
        <span dir="ltr" className="min-w-0 wrap-anywhere">
          {children ?? value}
        </span>
        <IconButton label={t('copyNamed', { name })} onClick={() => void copyText(value)}>
          <Copy />
        </IconButton>
      </dd>
    </div>
  )
}
