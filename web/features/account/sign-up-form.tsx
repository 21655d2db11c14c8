import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { signUpForm, type SignUpForm as Form } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { createAccount, signIn, type SecondStep } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useHydrated } from './hydrated.ts'
import { showFieldErrors } from './server-errors.ts'

/** A new account; `onCode` is told when the first code is on its way. */
export function SignUpForm({ onCode }: { onCode: (step: SecondStep) => Promise<void> }) {
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: zodResolver(signUpForm),
  })
  const { errors } = formState
  const { mutate, error, isPending } = useSignUp(onCode)
  const submit = (form: Form) =>
    mutate(form, { onError: (failed) => showFieldErrors(failed, ['email', 'password'], setError) })
  const atField = Object.values(errors).some((one) => one.type === 'server')
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void handleSubmit(submit)(event)}
      className="grid gap-2"
    >
      {error && !atField ? <ErrorState title="Login Error" message={errorMessage(error)} /> : null}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="8 to 71 characters"
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      <Button type="submit" variant="primary" size="lg" disabled={!hydrated} pending={isPending}>
        Sign Up
      </Button>
    </form>
  )
}

/** Makes the account and asks for its first code; if only the code fails, the next try asks again. */
function useSignUp(onCode: (step: SecondStep) => Promise<void>) {
  const api = useApi()
  const made = useRef('')
  return useMutation({
    mutationFn: async (form: Form) => {
      if (made.current !== form.email) await createAccount(api, form)
      made.current = form.email
      return signIn(api, form)
    },
    onSuccess: onCode,
  })
}
