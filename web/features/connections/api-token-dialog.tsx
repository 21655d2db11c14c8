import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { apiTokenForm } from '#shared/api-token-form.ts'
import { tokenDays, tokenScopes, type TokenScope } from '#shared/api-token.ts'
import { createApiToken, type ApiTokenForm } from '#web/api/api-tokens.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { formResolver } from '#web/ui/form-resolver.ts'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { copyText } from './copy-text.tsx'
import { collectionLabel, tokenCollections } from './token-collections.ts'

const lives = [30, 90, tokenDays]

const resolver = formResolver(apiTokenForm)

/** Makes an API token, and shows it this once. */
export function ApiTokenDialog(props: DialogState) {
  const { open, onOpenChange } = props
  const [token, setToken] = useState('')
  const api = useApi()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: (form: ApiTokenForm) => createApiToken(api, form),
    onSuccess: (made) => {
      setToken(made.token)
      return queries.invalidateQueries({ queryKey: keys.connections })
    },
  })
  const formId = useId()
  return (
    <Dialog
      size="sm"
      title={t(token ? 'tokenReady' : 'tokenNew')}
      description={token ? t('tokenReadyHint') : undefined}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        token ? (
          <Button onClick={() => onOpenChange(false)}>{t('tokenDone')}</Button>
        ) : (
          <Button type="submit" form={formId} variant="primary" pending={create.isPending}>
            {t('tokenCreate')}
          </Button>
        )
      }
    >
      {token ? (
        <Token token={token} />
      ) : (
        <Form
          id={formId}
          error={create.error ? errorMessage(create.error) : undefined}
          onSubmit={(form) => create.mutate(form)}
        />
      )}
    </Dialog>
  )
}

function Form(props: {
  id: string
  /** What the server says. */
  error: string | undefined
  onSubmit: (form: ApiTokenForm) => void
}) {
  const { id, error, onSubmit } = props
  const form = useForm<{ name: string }>({ resolver, defaultValues: { name: '' } })
  const [scope, setScope] = useState<TokenScope>('read')
  const [covers, setCovers] = useState<'all' | 'some'>('all')
  const [collections, setCollections] = useState<readonly string[]>([])
  const [days, setDays] = useState(tokenDays)
  const [isSent, setSent] = useState(false)
  const isEmpty = covers === 'some' && !collections.length
  return (
    <form
      id={id}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        setSent(true)
        void form.handleSubmit(({ name }) => {
          const named = covers === 'some' ? collections : []
          if (!isEmpty) onSubmit({ name, scope, collections: named, days })
        })(event)
      }}
    >
      <TextField
        label={t('name')}
        hint={t('tokenNameHint')}
        autoComplete="off"
        error={form.formState.errors.name?.message ?? error}
        {...form.register('name')}
      />
      <RadioGroup
        label={t('tokenMay')}
        value={scope}
        onValueChange={setScope}
        options={tokenScopes.map((value) => ({
          value,
          label: t(`tokenMay.${value}`),
          hint: t(`tokenMay.${value}Hint`),
        }))}
      />
      <SelectField
        label={t('tokenCovers')}
        value={covers}
        error={isSent && isEmpty ? t('tokenCoversNothing') : undefined}
        options={[
          { value: 'all', label: t('tokenCovers.all') },
          { value: 'some', label: t('tokenCovers.some') },
        ]}
        onChange={(event) => setCovers(event.currentTarget.value === 'some' ? 'some' : 'all')}
      />
      {covers === 'some' ? (
        <div className="-mt-2 grid sm:grid-cols-2">
          {tokenCollections.map((one) => (
            <Checkbox
              key={one}
              label={collectionLabel(one)}
              checked={collections.includes(one)}
              onCheckedChange={(isChosen) =>
                setCollections(
                  tokenCollections.filter((other) =>
                    other === one ? isChosen : collections.includes(other),
                  ),
                )
              }
            />
          ))}
        </div>
      ) : null}
      <SelectField
        label={t('tokenEnds')}
        value={String(days)}
        options={lives.map((life) => ({
          value: String(life),
          label: life === tokenDays ? t('tokenEnds.year') : t('tokenEnds.days', { days: life }),
        }))}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
      />
    </form>
  )
}

function Token({ token }: { token: string }) {
  return (
    <div className="grid gap-4">
      <code
        dir="ltr"
        className="rounded-md border border-line bg-sunken px-3 py-2.5 text-base break-all select-all"
      >
        {token}
      </code>
      <Button variant="primary" icon={<Copy />} onClick={() => void copyText(token)}>
        {t('tokenCopy')}
      </Button>
    </div>
  )
}
