import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { rich, t } from '#web/i18n/account.ts'
import { AccountForm } from './account-form.tsx'
import { accountResolver } from './account-resolver.ts'
import { showFieldErrors } from './server-errors.ts'

/** Asks for a link to another address; nothing changes before it is followed. */
export default function EmailForm() {
  const api = useApi()
  const [sentTo, setSentTo] = useState('')
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: accountResolver('changeEmail'),
    defaultValues: { email: '' },
  })
  const ask = useMutation({
    mutationFn: (email: string) => api.collection('users').requestEmailChange(email),
    onSuccess: (_, email) => {
      setSentTo(email)
      reset()
    },
    onError: (error) => {
      // The wire has its own name for the field.
      const at = showFieldErrors<{ newEmail: string }>(error, ['newEmail'], (_, wrong) =>
        setError('email', wrong, { shouldFocus: true }),
      )
      if (!at) toast.error(errorMessage(error))
    },
  })
  return (
    <AccountForm
      isCard
      onSubmit={handleSubmit(({ email }) => ask.mutate(email))}
      submit={t('sendLink')}
      pending={ask.isPending}
    >
      <TextField
        label={t('newEmail')}
        type="email"
        autoComplete="email"
        inputMode="email"
        hint={t('newEmailHint')}
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <output className="text-sm">
        {sentTo
          ? rich('linkSentTo', {
              email: (
                <strong className="wrap-anywhere">
                  <bdi>{sentTo}</bdi>
                </strong>
              ),
            })
          : null}
      </output>
    </AccountForm>
  )
}
