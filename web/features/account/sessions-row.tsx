import { useQuery } from '@tanstack/react-query'
import { Monitor, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { deviceName } from '#shared/device.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import {
  openSessionsQuery,
  signOutEverywhere,
  useEndSession,
  type OpenSessions,
} from '#web/api/sessions.ts'
import { useSignInCode } from '#web/api/site.ts'
import { useSignOutMutation } from '#web/api/sign-out.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { distinctNames } from '#web/ui/distinct-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { Ago, Day } from '#web/ui/timestamp.tsx'
import { ListRowSkeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { rich, t } from '#web/i18n/account.ts'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { SettingsRow } from './settings-section.tsx'

/** The reader's sessions and trusted devices, each with a button to end it. */
export function SessionsRow() {
  const query = useQuery(openSessionsQuery(useApi()))
  return (
    <SettingsRow
      title={t('whereYoureSignedIn')}
      hint={t('sessionsHint')}
      control={<SignOutEverywhere />}
    >
      {query.data ? (
        <OpenList {...query.data} />
      ) : query.isError ? (
        <ErrorState {...dataError(query)} />
      ) : (
        <SkeletonGroup count={2} of={ListRowSkeleton} />
      )}
    </SettingsRow>
  )
}

function OpenList({ sessions, devices }: OpenSessions) {
  const hasCode = useSignInCode()
  const sessionNames = namesOf(sessions)
  const deviceNames = namesOf(devices)
  return (
    <div className="grid gap-6">
      <ul ref={keepFocusInRows} aria-label={t('openSessions')} className="grid gap-4">
        {sessions.map(({ id, agent, used, created, isCurrent }, place) => (
          <Row
            key={id}
            icon={<Monitor />}
            name={deviceName(agent, t)}
            isCurrent={isCurrent}
            note={rich(isCurrent ? 'activeNow' : 'lastSeen', {
              ago: <Ago timestamp={used} />,
              day: <Day timestamp={created} />,
            })}
            action={
              isCurrent ? null : (
                <EndButton
                  what={{ kind: 'sessions', id }}
                  label={t('signOutDevice', { device: sessionNames[place]! })}
                  done={t('signedOut')}
                >
                  {t('signOut')}
                </EndButton>
              )
            }
          />
        ))}
      </ul>
      {hasCode && devices.length > 0 ? (
        <section className="grid gap-4 border-t border-line pt-5">
          <h3 className="text-base font-semibold">{t('trustedDevices')}</h3>
          <ul ref={keepFocusInRows} aria-label={t('trustedDevices')} className="grid gap-4">
            {devices.map(({ id, agent, expires, isCurrent }, place) => (
              <Row
                key={id}
                icon={<ShieldCheck />}
                name={deviceName(agent, t)}
                isCurrent={isCurrent}
                note={rich('skipsTheCodeUntil', { day: <Day timestamp={expires} /> })}
                action={
                  <EndButton
                    what={{ kind: 'trusted-devices', id }}
                    label={t('stopTrustingDevice', { device: deviceNames[place]! })}
                    done={t('noLongerTrusted')}
                  >
                    {t('remove')}
                  </EndButton>
                }
              />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

const namesOf = (list: readonly { agent: string }[]) =>
  distinctNames(list.map(({ agent }) => deviceName(agent, t)))

function Row(props: {
  icon: ReactNode
  name: string
  isCurrent: boolean
  note: ReactNode
  action: ReactNode
}) {
  const { icon, name, isCurrent, note, action } = props
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-3">
      <span aria-hidden className="text-ink-faint [&>svg]:size-5">
        {icon}
      </span>
      <div className="grid min-w-0 shrink grow basis-28 gap-0.5 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="first-letter:uppercase">{name}</span>
          {isCurrent ? <Badge>{t('thisDevice')}</Badge> : null}
        </p>
        <p className="text-ink-soft">{note}</p>
      </div>
      {action}
    </li>
  )
}

/** Each has its own request, so that several can be ended without waiting. */
function EndButton(props: {
  what: Parameters<typeof useEndSession>[0]
  label: string
  done: string
  children: string
}) {
  const { what, label, done, children } = props
  const end = useEndSession(what)
  async function run(): Promise<void> {
    try {
      await end.mutateAsync()
      toast.success(done)
    } catch (error) {
      toast.error(errorMessage(error))
    }
  }
  return (
    <Button size="sm" aria-label={label} pending={end.isPending} onClick={() => void run()}>
      {children}
    </Button>
  )
}

function SignOutEverywhere() {
  const hasCode = useSignInCode()
  const { mutateAsync } = useSignOutMutation(
    (error) => toast.error(errorMessage(error)),
    signOutEverywhere,
  )
  return (
    <LazyConfirmButton
      variant="danger"
      description={hasCode ? t('endSessionsAndTrust') : t('endSessions')}
      confirmLabel={t('signOutEverywhere')}
      onConfirm={() => mutateAsync()}
    >
      {t('signOutEverywhere')}
    </LazyConfirmButton>
  )
}
