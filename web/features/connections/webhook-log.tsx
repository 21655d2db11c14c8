import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerWithin } from '#shared/webhook.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { sendAgain, type LoggedDelivery } from '#web/api/webhooks.ts'
import { formatAgo } from '#web/i18n/format.ts'
import { rich, t } from '#web/i18n/webhooks.ts'
import { Button } from '#web/ui/button.tsx'
import { parseTimestamp, useServerClock } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'

/** The deliveries of a webhook, each with what came of it. */
export function WebhookLog({ log }: { log: readonly LoggedDelivery[] }) {
  return (
    <ul className="border-t border-line text-sm">
      {log.map((delivery) => (
        <LogRow key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  )
}

function LogRow({ delivery }: { delivery: LoggedDelivery }) {
  const api = useApi()
  const queries = useQueryClient()
  useServerClock()
  const again = useMutation({
    mutationFn: () => sendAgain(api, delivery),
    onError: (error) => void toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.connections }),
  })
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line py-2">
      <div className="min-w-0 wrap-anywhere">
        <p className="text-ink">
          <DeliveryText delivery={delivery} />
        </p>
        <DeliveryReason delivery={delivery} />
        {delivery.answer ? (
          <p>{rich('itAnswered', { answer: <bdi>{delivery.answer}</bdi> })}</p>
        ) : null}
      </div>
      <Button
        size="sm"
        aria-label={t('sendAgainNamed', {
          event: t(`event.${delivery.event}`),
          ago: agoOf(delivery),
        })}
        suppressHydrationWarning
        pending={again.isPending}
        onClick={() => again.mutate()}
      >
        {t('sendAgain')}
      </Button>
    </li>
  )
}

/** When it was sent last, what it told, and what came of it. */
export function DeliveryText({ delivery }: { delivery: LoggedDelivery }) {
  useServerClock()
  return (
    <span suppressHydrationWarning className="inline-block first-letter:uppercase">
      {t('lastDelivery', {
        ago: agoOf(delivery),
        event: t(`event.${delivery.event}`),
        outcome: outcomeOf(delivery),
      })}
    </span>
  )
}

/** What an answer that isn't an acceptance means, and what the reader can do. */
export function DeliveryReason({ delivery }: { delivery: LoggedDelivery }) {
  const { state, attempts, status } = delivery
  const isRefused = state === 'failed' || (state === 'waiting' && attempts > 0)
  const reason = isRefused ? reasonOf(status) : undefined
  return reason ? <p>{t(`why.${reason}`)}</p> : null
}

const reasons = {
  401: 'refused',
  403: 'refused',
  404: 'missing',
  407: 'refused',
  410: 'gone',
  429: 'tooMany',
} as const

/** @param status of the last answer; 0 for none */
function reasonOf(status: number) {
  if (status in reasons) return reasons[status as keyof typeof reasons]
  if (status >= 500) return 'failed'
  if (status >= 400) return 'unusable'
  return status >= 300 ? 'redirected' : undefined
}

const agoOf = ({ tried, created }: LoggedDelivery) => formatAgo(parseTimestamp(tried || created))

function outcomeOf(delivery: LoggedDelivery): string {
  const { state, attempts } = delivery
  if (state === 'delivered') return t('delivered')
  if (state === 'held') return t('held')
  if (state === 'failed') return answerOf(delivery)
  return attempts ? t('tryingAgain', { outcome: answerOf(delivery) }) : t('waiting')
}

function answerOf({ status, failure }: LoggedDelivery): string {
  if (failure === 'timeout') return t('noAnswer', { seconds: answerWithin })
  return status ? t('status', { status: String(status) }) : t('notReached')
}
