import { useState, type ReactNode, type SubmitEvent } from 'react'
import { t } from '#web/i18n/shell.ts'
import { errorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { prepareResolvers } from './account-resolver.ts'

/** A form about the account: what went wrong above its fields, the button that sends it below. */
export function AccountForm(props: {
  onSubmit: (event: SubmitEvent) => Promise<void>
  /** The screen's address, if its action takes the form without scripts. */
  action?: string
  /** Errors that belong to no field. */
  error?: unknown
  errorTitle?: string
  submit: string
  pending: boolean
  /** One of several on a sheet of settings: its button is not what the screen is for. */
  isCard?: boolean
  children: ReactNode
}) {
  const { onSubmit, action, error, errorTitle = t('dataError') } = props
  const { submit, pending, isCard, children } = props
  const look = isCard
    ? { className: 'justify-self-end' }
    : { variant: 'primary' as const, size: 'lg' as const }
  const isHydrated = useHydrated()
  const disabled = action === undefined && !isHydrated
  // Rules that are still on their way are no reason to send the form twice.
  const [isChecked, setChecked] = useState(true)

  async function check(event: SubmitEvent): Promise<void> {
    setChecked(false)
    await onSubmit(event).finally(() => setChecked(true))
  }

  return (
    <form
      method="post"
      action={action}
      noValidate
      onFocusCapture={prepareResolvers}
      onSubmit={(event) => void check(event)}
      className="grid gap-4"
    >
      {error ? <ErrorState title={errorTitle} message={errorMessage(error)} /> : null}
      {children}
      {action === undefined ? (
        <noscript className="text-sm font-medium">{t('thisFormNeedsScripts')}</noscript>
      ) : null}
      <Button type="submit" disabled={disabled} pending={pending || !isChecked} {...look}>
        {submit}
      </Button>
    </form>
  )
}
