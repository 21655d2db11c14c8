import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { useApi } from '#web/api/context.ts'
import type { Refusal } from '#web/api/act.ts'
import { createAccount, signIn, type SecondStep } from '#web/api/sign-in.ts'
import { TextLink } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { t } from '#web/i18n/entry.ts'
import { AccountForm } from './account-form.tsx'
import { accountResolver } from './account-resolver.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { useErrorsOf, refusalError } from './refusal.ts'
import { showFieldErrors } from './server-errors.ts'

interface Form {
  email: string
  password: string
  confirmPassword?: string | undefined
}

/**
 * E-mail and password, of an account there is or of a new one.
 *
 * @param invitation the key of the link that the reader came with
 * @param before what was typed here, where the reader came back from the code
 * @param onStep told when a code is on its way, or with null when none is needed
 */
export function CredentialsForm(props: {
  isNew?: boolean
  invitation?: string | undefined
  before?: SecondStep | undefined
  /** Where the form goes without scripts. */
  action: string
  /** Why it was refused when it was sent so. */
  refusal: Refusal
  onStep: (step: SecondStep | null) => Promise<void>
}) {
  const { isNew = false, invitation, before, action, refusal, onStep } = props
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Form>({
    resolver: accountResolver(isNew ? 'signUp' : 'login'),
    // Else the fields themselves say what was typed, also before the page was hydrated.
    ...(before && { defaultValues: typedBefore(before) }),
    errors: useErrorsOf<Form>(refusal),
  })
  useEffect(() => {
    if (before) setFocus('email', { shouldSelect: true })
  }, [before, setFocus])
  const { errors } = formState
  const { mutate, error, isPending } = useEntry(
    { isNew, invitation, made: before?.email ?? '' },
    onStep,
  )
  const submit = (form: Form) =>
    mutate(form, { onError: (failed) => showFieldErrors(failed, ['email', 'password'], setError) })
  const atField = Object.values(errors).some((one) => one.type === 'server')
  return (
    <AccountForm
      action={action}
      onSubmit={handleSubmit(submit)}
      error={atField ? null : (error ?? refusalError(refusal))}
      errorTitle={t('loginError')}
      submit={isNew ? t('signUp') : t('login')}
      pending={isPending}
    >
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        inputMode="email"
        error={errors.email?.message}
        defaultValue={refusal.typed?.['email']}
        {...register('email')}
      />
      {isNew ? (
        <NewPasswordFields
          label={t('password')}
          password={register('password')}
          confirm={register('confirmPassword')}
          errors={errors}
        />
      ) : (
        <PasswordField
          label={t('password')}
          autoComplete="current-password"
          aside={<ForgotPassword />}
          error={errors.password?.message}
          {...register('password')}
        />
      )}
    </AccountForm>
  )
}

const typedBefore = ({ email, password = '' }: SecondStep): Form => ({
  email,
  password,
  confirmPassword: password,
})

function ForgotPassword() {
  return (
    <TextLink className="text-sm" asChild>
      <Link to="/auth/forgot-password">{t('forgotPassword')}</Link>
    </TextLink>
  )
}

/** A new account is made first; if only its code fails, the next try asks for that alone. */
function useEntry(
  account: { isNew: boolean; invitation: string | undefined; made: string },
  onStep: (step: SecondStep | null) => Promise<void>,
) {
  const api = useApi()
  const { isNew, invitation } = account
  const made = useRef(account.made)
  return useMutation({
    mutationFn: async (form: Form) => {
      if (isNew && made.current !== form.email) await createAccount(api, { ...form, invitation })
      made.current = form.email
      await onStep(await signIn(api, form))
    },
  })
}
