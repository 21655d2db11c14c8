import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { Refusal } from '#web/api/act.ts'
import { useApi } from '#web/api/context.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { t } from '#web/i18n/entry.ts'
import { AccountForm } from './account-form.tsx'
import { accountResolver } from './account-resolver.ts'
import { useErrorsOf, refusalError } from './refusal.ts'

/** Asks for the link; the answer is the same whether there is such an account or not. */
export function ForgotPasswordForm(props: {
  /** Why it was refused when it was sent without scripts. */
  refusal: Refusal
  onSent: (email: string) => void
}) {
  const { refusal, onSent } = props
  const api = useApi()
  const { register, handleSubmit, formState } = useForm<{ email: string }>({
    resolver: accountResolver('forgotPassword'),
    errors: useErrorsOf<{ email: string }>(refusal),
  })
  const ask = useMutation({
    mutationFn: (email: string) => api.collection('users').requestPasswordReset(email),
    onSuccess: (_, email) => onSent(email),
  })
  return (
    <AccountForm
      action="/auth/forgot-password"
      onSubmit={handleSubmit(({ email }) => ask.mutate(email))}
      error={ask.error ?? refusalError(refusal)}
      submit={t('sendLink')}
      pending={ask.isPending}
    >
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        inputMode="email"
        error={formState.errors.email?.message}
        defaultValue={refusal.typed?.['email']}
        {...register('email')}
      />
    </AccountForm>
  )
}
