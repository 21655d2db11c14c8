import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CirclePause, Clock, TriangleAlert } from 'lucide-react'
import { deliveryDays, formerSecretHours, type NewWebhook, type Webhook } from '#shared/webhook.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import {
  pauseWebhook,
  removeWebhook,
  rotateSecret,
  sendTest,
  type LoggedDelivery,
} from '#web/api/webhooks.ts'
import { t } from '#web/i18n/webhooks.ts'
import { Button } from '#web/ui/button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DeliveryReason, DeliveryText, WebhookLog } from './webhook-log.tsx'

/** A webhook with what happened last, and its log. */
export function WebhookRow(props: {
  webhook: Webhook
  /** The newest first. */
  log: readonly LoggedDelivery[]
  onSecret: (webhook: NewWebhook) => void
}) {
  const { webhook, log, onSecret } = props
  const { url, paused } = webhook
  const address = url.replace(/^https?:\/\//, '').replace(/\/$/, '')
  const api = useApi()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: keys.connections })
  const onError = (error: unknown) => void toast.error(errorMessage(error))
  const pause = useMutation({
    mutationFn: () => pauseWebhook(api, webhook, !paused),
    onError,
    onSettled: refresh,
  })
  const test = useMutation({
    mutationFn: () => sendTest(api, webhook),
    onError,
    onSettled: refresh,
  })
  async function remove(): Promise<void> {
    await removeWebhook(api, webhook)
    await refresh()
  }
  return (
    <li className="border-b border-line pt-4">
      <h3 className="text-base font-medium wrap-anywhere">
        <bdi dir="ltr">{url}</bdi>
      </h3>
      <p className="text-sm text-ink-soft">
        {webhook.events.map((event) => t(`event.${event}`)).join(' · ')}
      </p>
      <p className="mt-1 flex items-start gap-1.5 text-sm text-ink-soft wrap-anywhere [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
        <Condition webhook={webhook} last={log[0]} />
      </p>
      {log[0] && !paused ? (
        <div className="ps-5.5 text-sm text-ink-soft">
          <DeliveryReason delivery={log[0]} />
        </div>
      ) : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          aria-label={t(paused ? 'resumeNamed' : 'pauseNamed', { address })}
          pending={pause.isPending}
          onClick={() => pause.mutate()}
        >
          {t(paused ? 'resume' : 'pause')}
        </Button>
        <Button
          aria-label={t('sendTestNamed', { address })}
          pending={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('sendTest')}
        </Button>
        <LazyConfirmButton
          description={t('newSecretQuestion', { address, hours: formerSecretHours })}
          confirmLabel={t('newSecret')}
          onConfirm={async () => onSecret(await rotateSecret(api, webhook))}
        >
          {t('newSecret')}
        </LazyConfirmButton>
        <LazyConfirmButton
          variant="danger"
          description={t('removeQuestion', { address })}
          confirmLabel={t('remove')}
          onConfirm={remove}
        >
          {t('remove')}
        </LazyConfirmButton>
      </div>
      <Disclosure summary={t('log')} className="mt-1 border-b-0">
        {log.length ? <WebhookLog log={log} /> : t('logEmpty', { days: deliveryDays })}
      </Disclosure>
    </li>
  )
}

const pauses = { gone: 'pausedGone', failing: 'pausedFailing', behind: 'pausedBehind' } as const

function Condition({ webhook, last }: { webhook: Webhook; last: LoggedDelivery | undefined }) {
  const { paused, pause_reason } = webhook
  if (paused && pause_reason)
    return (
      <>
        <TriangleAlert aria-hidden className="text-paused" />
        {t(pauses[pause_reason])}
      </>
    )
  if (paused)
    return (
      <>
        <CirclePause aria-hidden className="text-paused" />
        {t('pausedByYou')}
      </>
    )
  if (!last)
    return (
      <>
        <Clock aria-hidden />
        {t('nothingSent')}
      </>
    )
  return (
    <>
      {last.state === 'delivered' ? (
        <CircleCheck aria-hidden className="text-completed" />
      ) : (
        <Clock aria-hidden />
      )}
      <DeliveryText delivery={last} />
    </>
  )
}
