import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode, type SubmitEvent } from 'react'
import { deviceName } from '#shared/device.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages, isApiError, ScreenError } from '#web/api/errors.ts'
import { addPasskey, isPasskeyCancelled, renamePasskey, type Passkey } from '#web/api/passkeys.ts'
import { keys } from '#web/api/query-keys.ts'
import { useSession } from '#web/api/session.ts'
import { usePasswordSignIn } from '#web/api/site.ts'
import { t as account } from '#web/i18n/account.ts'
import { t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** Characters of a passkey's name. */
const maxName = 60

/** Adds a passkey: its name, the password, and then the browser's own dialog. */
export function AddPasskeyDialog(state: DialogState) {
  const api = useApi()
  const hasPasswords = usePasswordSignIn()
  const email = useSession()?.user.email ?? ''
  const [name, setName] = useState(() => deviceName(navigator.userAgent, account))
  const [password, setPassword] = useState('')
  return (
    <PasskeyDialog
      {...state}
      title={t('passkeyAdd')}
      description={t('passkeyAddHint')}
      submit={t('passkeyContinue')}
      isReady={name.trim() !== '' && (password !== '' || !hasPasswords)}
      onSubmit={() =>
        addPasskey(api, { name: name.trim(), password }).catch((error: unknown) => {
          if (isApiError(error)) throw error
          const isKnown = error instanceof Error && error.name === 'InvalidStateError'
          if (isKnown) throw new ScreenError(t('passkeyKnown'))
          throw new ScreenError(t(isPasskeyCancelled(error) ? 'passkeyNotMade' : 'passkeyFailed'))
        })
      }
    >
      {(wrong) => (
        <>
          <TextField
            label={t('name')}
            hint={t('passkeyNameHint')}
            autoComplete="off"
            maxLength={maxName}
            value={name}
            error={wrong['name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {hasPasswords ? (
            <>
              <input type="text" autoComplete="username" value={email} readOnly hidden />
              <PasswordField
                label={account('currentPassword')}
                autoComplete="current-password"
                value={password}
                error={wrong['password']}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
            </>
          ) : null}
        </>
      )}
    </PasskeyDialog>
  )
}

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ passkey, ...state }: DialogState & { passkey: Passkey }) {
  const api = useApi()
  const [name, setName] = useState(passkey.name)
  return (
    <PasskeyDialog
      {...state}
      title={t('passkeyRename')}
      submit={t('passkeySave')}
      isReady={name.trim() !== ''}
      onSubmit={() => renamePasskey(api, passkey.id, name.trim())}
    >
      {(wrong) => (
        <TextField
          label={t('name')}
          autoComplete="off"
          maxLength={maxName}
          value={name}
          error={wrong['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
    </PasskeyDialog>
  )
}

function PasskeyDialog(
  props: DialogState & {
    title: string
    description?: string
    submit: string
    isReady: boolean
    onSubmit: () => Promise<unknown>
    children: (wrong: Record<string, string>) => ReactNode
  },
) {
  const { open, onOpenChange, title, description, submit, isReady, onSubmit, children } = props
  const queries = useQueryClient()
  const formId = useId()
  const save = useMutation({
    mutationFn: onSubmit,
    onSuccess: async () => {
      onOpenChange(false)
      await queries.invalidateQueries({ queryKey: keys.connections })
    },
  })
  const wrong = fieldMessages(save.error)
  const atField = wrong['name'] ?? wrong['password']
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isReady && !save.isPending) save.mutate()
  }
  return (
    <Dialog
      size="sm"
      title={title}
      description={description}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          disabled={!isReady}
          pending={save.isPending}
        >
          {submit}
        </Button>
      }
    >
      <form id={formId} method="post" noValidate className="grid gap-4" onSubmit={send}>
        {save.error && !atField ? (
          <ErrorState title={t('passkeyNotSaved')} message={errorMessage(save.error)} />
        ) : null}
        {children(wrong)}
      </form>
    </Dialog>
  )
}
