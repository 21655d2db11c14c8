import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ServiceKind } from '#web/api/connections.ts'
import { addService } from '#web/api/connections.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { t } from '#web/i18n/services.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Connects a service that is asked at regular times. */
export function AddService({ kind }: { kind: ServiceKind }) {
  const api = useApi()
  const queries = useQueryClient()
  const [address, setAddress] = useState('')
  const [token, setToken] = useState('')
  const [sends, setSends] = useState(false)
  const name = t(kind)
  const add = useMutation({
    mutationFn: () => addService(api, { kind, name, address, token, sends }),
    onSuccess: () => {
      setAddress('')
      setToken('')
      toast.success(t('added', { name }))
      return queries.invalidateQueries({ queryKey: keys.connections })
    },
  })
  const wrong = add.isError ? fieldMessages(add.error) : {}
  // Nobody types the address of Readwise here.
  const isShown = Boolean(wrong['token'] ?? (kind === 'audiobookshelf' && wrong['address']))
  const other = add.isError && !isShown ? errorMessage(add.error) : undefined
  return (
    <Disclosure summary={t('add', { name })}>
      <form
        noValidate
        className="mb-4 grid gap-4 text-ink"
        onSubmit={(event) => {
          event.preventDefault()
          if (!add.isPending) add.mutate()
        }}
      >
        <p className="text-sm text-ink-soft">{t(`${kind}Hint`)}</p>
        {kind === 'audiobookshelf' && (
          <TextField
            label={t('address')}
            hint={t('addressHint')}
            dir="ltr"
            inputMode="url"
            autoComplete="off"
            value={address}
            error={wrong['address']}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
        <TextField
          label={t(`${kind}Key`)}
          hint={t(`${kind}KeyHint`)}
          dir="ltr"
          type="password"
          autoComplete="off"
          value={token}
          error={wrong['token'] ?? other}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        {kind === 'readwise' && (
          <Checkbox label={t('sends')} checked={sends} onCheckedChange={setSends} />
        )}
        <Button
          type="submit"
          needsScript
          variant="primary"
          className="justify-self-start"
          icon={<Plus />}
          pending={add.isPending}
        >
          {t('add', { name })}
        </Button>
      </form>
    </Disclosure>
  )
}
