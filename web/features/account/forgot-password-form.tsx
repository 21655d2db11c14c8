import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useApi } from '#web/api/context.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { t } from '#web/i18n/entry.ts'
import { AccountForm } from './account-form.tsx'
import { lazyResolver } from './lazy-resolver.ts'

/** Asks for the link; the answer is the same whether there is such an account or not. */
export function ForgotPasswordForm({ onSent }: { onSent: (email: string) => void }) {
  const api = useApi()
  const { register, handleSubmit, formState } = useForm({
    resolver: lazyResolver('forgotPassword'),
    defaultValues: { email: '' },
  })
  const ask = useMutation({
    mutationFn: (email: string) => api.collection('users').requestPasswordReset(email),
    onSuccess: (_, email) => onSent(email),
  })
  return (
    <AccountForm
      onSubmit={handleSubmit(({ email }) => ask.mutate(email))}
      error={ask.error}
      submit={t('sendLink')}
      pending={ask.isPending}
    >
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        inputMode="email"
        error={formState.errors.email?.message}
        {...register('email')}
      />
    </AccountForm>
  )
}
