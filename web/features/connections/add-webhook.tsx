import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { webhookEvents, type NewWebhook, type WebhookEvent } from '#shared/webhook.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { addWebhook } from '#web/api/webhooks.ts'
import { t } from '#web/i18n/webhooks.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** Names an address and the events that it is told of. */
export function AddWebhook({ onAdded }: { onAdded: (webhook: NewWebhook) => void }) {
  const api = useApi()
  const queries = useQueryClient()
  const errorId = useId()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents)
  const add = useMutation({
    mutationFn: () => addWebhook(api, { url, events }),
    onSuccess: (webhook) => {
      onAdded(webhook)
      return queries.invalidateQueries({ queryKey: keys.connections })
    },
  })
  const wrong = add.isError ? fieldMessages(add.error) : {}
  const isOther = add.isError && !wrong['url'] && !wrong['events']
  const choose = (event: WebhookEvent) => (isChosen: boolean) =>
    setEvents(webhookEvents.filter((one) => (one === event ? isChosen : events.includes(one))))
  return (
    <Disclosure summary={t('addWebhook')}>
      <form
        noValidate
        className="grid gap-4 text-ink"
        onSubmit={(event) => {
          event.preventDefault()
          if (!add.isPending) add.mutate()
        }}
      >
        <TextField
          label={t('address')}
          hint={t('addressHint')}
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          value={url}
          error={isOther ? errorMessage(add.error) : wrong['url']}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <fieldset aria-describedby={errorId}>
          <legend className="text-sm font-medium">{t('events')}</legend>
          {webhookEvents.map((event) => (
            <Checkbox
              key={event}
              label={t(`event.${event}`)}
              checked={events.includes(event)}
              onCheckedChange={choose(event)}
            />
          ))}
          <FieldError id={errorId} message={wrong['events']} />
        </fieldset>
        <Button
          type="submit"
          needsScript
          variant="primary"
          className="justify-self-start"
          icon={<Plus />}
          pending={add.isPending}
        >
          {t('addWebhook')}
        </Button>
      </form>
    </Disclosure>
  )
}
