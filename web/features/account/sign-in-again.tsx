import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type RefObject, type SubmitEvent } from 'react'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { providerErrorMessage, signInWithPopup } from '#web/api/providers.ts'
import { sessionQuery, useSession } from '#web/api/session.ts'
import { signIn, type SecondStep } from '#web/api/sign-in.ts'
import { usePasswordSignIn, useSite, type SignInProvider } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { rich, t } from '#web/i18n/entry.ts'
import CodeForm from './code-form.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { ProviderButton } from './provider-button.tsx'

/**
 * A session has run out under a reader's hands: they sign in again over what they were doing, which
 * then goes on.
 */
export default function SignInAgain({ onAnswer }: { onAnswer: (isSignedIn: boolean) => void }) {
  const api = useApi()
  const queries = useQueryClient()
  const [step, setStep] = useState<SecondStep | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const { providers = [] } = useSite()
  const hasPasswords = usePasswordSignIn()
  const { id: account, email = '' } = useSession()?.user ?? {}
  const finish = async () => {
    await queries.query({ ...sessionQuery(api), staleTime: 0 })
    onAnswer(true)
  }
  return (
    <Dialog
      open
      size="sm"
      firstFocus={field}
      onOpenChange={() => onAnswer(false)}
      title={step ? t('twoStepVerification') : t('yourSessionHasEnded')}
      description={step ? undefined : t('signInAgainHint')}
    >
      {step ? (
        <CodeForm first={step} onDone={finish} />
      ) : (
        <div className="grid gap-4">
          {hasPasswords ? (
            <PasswordStep
              email={email}
              field={field}
              onStep={async (next) => (next ? setStep(next) : await finish())}
            />
          ) : null}
          {providers.map((provider) => (
            <ByWindow key={provider.name} provider={provider} onDone={finish} />
          ))}
          <PasskeySignIn account={account} onDone={finish} />
        </div>
      )}
    </Dialog>
  )
}

function PasswordStep(props: {
  email: string
  field: RefObject<HTMLInputElement | null>
  onStep: (step: SecondStep | null) => void | Promise<void>
}) {
  const { email, field, onStep } = props
  const api = useApi()
  const [password, setPassword] = useState('')
  const login = useMutation({
    mutationFn: async () => onStep(await signIn(api, { email, password })),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // Don't submit a form below the dialog.
    event.stopPropagation()
    login.mutate()
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      {login.error ? (
        <ErrorState title={t('loginError')} message={errorMessage(login.error)} />
      ) : null}
      <p className="text-sm">
        {rich('youWereSignedInAs', {
          email: (
            <strong className="wrap-anywhere">
              <bdi>{email}</bdi>
            </strong>
          ),
        })}
      </p>
      {/* For password managers, which want to know whose password it is. */}
      <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
      <PasswordField
        ref={field}
        label={t('password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={password === ''}
        pending={login.isPending}
      >
        {t('login')}
      </Button>
    </form>
  )
}

/** Through a provider without leaving the page, in a window of its own. */
function ByWindow(props: { provider: SignInProvider; onDone: () => Promise<void> }) {
  const { provider, onDone } = props
  const api = useApi()
  const account = useSession()?.user.id ?? ''
  const enter = useMutation({
    mutationFn: async () => {
      await signInWithPopup(api, provider, account)
      await onDone()
    },
  })
  return (
    <div className="grid gap-3">
      {enter.error ? (
        <ErrorState title={t('loginError')} message={providerErrorMessage(enter.error, provider)} />
      ) : null}
      {/* Not pending: who closes the window can open it again. */}
      <ProviderButton provider={provider} onClick={() => enter.mutate()} />
    </div>
  )
}
