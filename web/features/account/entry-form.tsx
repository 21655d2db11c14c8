import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { loginForm, signUpForm } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { createAccount, signIn, type SecondStep } from '#web/api/sign-in.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { showFieldErrors } from './server-errors.ts'

interface Form {
  email: string
  password: string
  confirmPassword?: string | undefined
}

/**
 * E-mail and password, of an account there is or of a new one.
 *
 * @param onStep told when a code is on its way, or with null when none is needed
 */
export function EntryForm({
  isNew = false,
  onStep,
}: {
  isNew?: boolean
  onStep: (step: SecondStep | null) => Promise<void>
}) {
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: zodResolver(isNew ? signUpForm : loginForm),
  })
  const { errors } = formState
  const { mutate, error, isPending } = useEntry(isNew, onStep)
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
        autoComplete={isNew ? 'new-password' : 'current-password'}
        aside={isNew ? null : <ForgotPassword />}
        hint={isNew ? '8 to 71 characters' : undefined}
        error={errors.password?.message}
        {...register('password')}
      />
      {isNew ? (
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
      ) : null}
      <Button type="submit" variant="primary" size="lg" disabled={!hydrated} pending={isPending}>
        {isNew ? 'Sign Up' : 'Login'}
      </Button>
    </form>
  )
}

function ForgotPassword() {
  return (
    <TextLink className="text-sm" asChild>
      <Link to="/auth/forgot-password">Forgot password?</Link>
    </TextLink>
  )
}

/** A new account is made first; if only its code fails, the next try asks for that alone. */
function useEntry(isNew: boolean, onStep: (step: SecondStep | null) => Promise<void>) {
  const api = useApi()
  const made = useRef('')
  return useMutation({
    mutationFn: async (form: Form) => {
      if (isNew && made.current !== form.email) await createAccount(api, form)
      made.current = form.email
      await onStep(await signIn(api, form))
    },
  })
}
