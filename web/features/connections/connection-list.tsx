import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  CircleCheck,
  CirclePause,
  Clock,
  RefreshCw,
  TabletSmartphone,
  TriangleAlert,
} from 'lucide-react'
import type { Connection } from '#shared/connection.ts'
import {
  connectionsQuery,
  pauseConnection,
  revokeConnection,
  type UsedConnection,
} from '#web/api/connections.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { t } from '#web/i18n/connections.ts'
import { t as service } from '#web/i18n/services.ts'
import { formatAgo, formatPercent } from '#web/i18n/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { parseTimestamp, useServerClock } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'
import { titleOf } from './device-books.tsx'

/** A reader's connections, with what each did last. */
export function ConnectionList({ user }: { user: string }) {
  const api = useApi()
  const query = useQuery(connectionsQuery(api, user))
  if (query.isError && !query.data) return <ErrorState {...dataError(query)} />
  if (!query.data?.length) return null
  return (
    <Section title={t('yourConnections')}>
      <ul ref={keepFocusInRows} className="border-t border-line">
        {query.data.map((used) => (
          <Row key={used.connection.id} {...used} />
        ))}
      </ul>
    </Section>
  )
}

function Row({ connection, last }: UsedConnection) {
  const { name, paused, address } = connection
  const Picture = address ? RefreshCw : TabletSmartphone
  const api = useApi()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (isPaused: boolean) => pauseConnection(api, connection, isPaused),
    onError: (error) => void toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.connections }),
  })
  async function revoke(): Promise<void> {
    await revokeConnection(api, connection)
    await queries.invalidateQueries({ queryKey: keys.connections })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="grid size-11 shrink-0 place-items-center rounded-md bg-sunken text-ink-soft">
        <Picture aria-hidden className="size-5" />
      </span>
      <div className="grid min-w-0 grow basis-40 gap-0.5">
        <h3 className="text-base font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </h3>
        {address && (
          <p className="text-sm text-ink-soft wrap-anywhere">
            <bdi dir="ltr">{address}</bdi>
          </p>
        )}
        <p className="flex items-center gap-1.5 text-sm text-ink-soft wrap-anywhere [&>svg]:size-4 [&>svg]:shrink-0">
          <LastUse connection={connection} last={last} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-label={t(paused ? 'resumeNamed' : 'pauseNamed', { name })}
          pending={change.isPending}
          onClick={() => change.mutate(!paused)}
        >
          {t(paused ? 'resume' : 'pause')}
        </Button>
        <LazyConfirmButton
          variant="danger"
          description={t('revokeQuestion', { name })}
          confirmLabel={t('revoke')}
          onConfirm={revoke}
        >
          {t('revoke')}
        </LazyConfirmButton>
      </div>
    </li>
  )
}

function LastUse({ connection, last }: UsedConnection) {
  useServerClock()
  if (connection.paused)
    return (
      <>
        <CirclePause aria-hidden className="text-paused" />
        {t('paused')}
      </>
    )
  if (connection.address) return <ServiceState connection={connection} />
  if (connection.kind === 'highlights')
    return (
      <LastContact
        moment={connection.last_used}
        waiting={service('exportWaiting')}
        made={(ago) => service('exportUsed', { ago })}
      />
    )
  const book = last?.books[0]
  if (!book)
    return (
      <>
        <Clock aria-hidden />
        {t('waitingForPage')}
      </>
    )
  const title = titleOf(book, last.own)
  const ago = formatAgo(parseTimestamp(book.pushed))
  const percent = formatPercent(Math.round(100 * book.percentage))
  const page = title
    ? t('lastPage', { ago, percent, title })
    : t('lastPageUntitled', { ago, percent })
  return (
    <>
      <CircleCheck aria-hidden className="text-completed" />
      <span suppressHydrationWarning className="inline-block first-letter:uppercase">
        {book.percentage > 0 ? page : service('exportUsed', { ago })}
      </span>
    </>
  )
}

function ServiceState({ connection: { name, problem, last_used } }: { connection: Connection }) {
  if (problem)
    return (
      <>
        <TriangleAlert aria-hidden className="text-paused" />
        <span>{service(`problem.${problem}`, { name })}</span>
      </>
    )
  return (
    <LastContact
      moment={last_used}
      waiting={service('asking')}
      made={(ago) => service('asked', { ago })}
    />
  )
}

/** When a connection was last used, or that it never was. */
function LastContact(props: { moment: string; waiting: string; made: (ago: string) => string }) {
  const { moment, waiting, made } = props
  if (!moment)
    return (
      <>
        <Clock aria-hidden />
        {waiting}
      </>
    )
  return (
    <>
      <CircleCheck aria-hidden className="text-completed" />
      <span suppressHydrationWarning>{made(formatAgo(parseTimestamp(moment)))}</span>
    </>
  )
}
