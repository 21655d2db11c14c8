import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewWebhook } from '#shared/webhook.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { webhooksQuery } from '#web/api/webhooks.ts'
import { t } from '#web/i18n/webhooks.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { Section } from '#web/ui/page-shell.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AddWebhook } from './add-webhook.tsx'
import { Line } from './connection-setup.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** A reader's webhooks: adding one, its secret, and what was sent. */
export function Webhooks({ user }: { user: string }) {
  const query = useQuery(webhooksQuery(useApi(), user))
  const [shown, setShown] = useState<NewWebhook | null>(null)
  if (query.isError && !query.data) return <ErrorState {...dataError(query)} />
  const { webhooks = [], deliveries = [] } = query.data ?? {}
  return (
    <Section title={t('webhooks')}>
      <p className="-mt-2 mb-4 text-sm text-ink-soft">{t('webhooksHint')}</p>
      {shown ? (
        <WebhookSecret webhook={shown} onDone={() => setShown(null)} />
      ) : (
        <AddWebhook onAdded={setShown} />
      )}
      <ul ref={keepFocusInRows}>
        {webhooks.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            log={deliveries.filter((one) => one.webhook === webhook.id)}
            onSecret={setShown}
          />
        ))}
      </ul>
    </Section>
  )
}

function WebhookSecret({ webhook, onDone }: { webhook: NewWebhook; onDone: () => void }) {
  return (
    <Panel title={t('secretTitle')} description={t('secretHint')} className="mb-6">
      <dl className="border-t border-line">
        <Line name={t('secret')} value={webhook.secret} />
      </dl>
      <Button variant="primary" size="lg" className="mt-5" onClick={onDone}>
        {t('savedIt')}
      </Button>
    </Panel>
  )
}
