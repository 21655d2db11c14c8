import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { loginForm, type LoginForm as Form } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { signIn, type SecondStep } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useHydrated } from './hydrated.ts'
import { showFieldErrors } from './server-errors.ts'

/** E-mail and password; `onCode` is told when a code is on its way. */
export function LoginForm({ onCode }: { onCode: (step: SecondStep) => Promise<void> }) {
  const api = useApi()
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: zodResolver(loginForm),
  })
  const { errors } = formState
  const login = useMutation({
    mutationFn: (form: Form) => signIn(api, form),
    onSuccess: onCode,
    onError: (error) => showFieldErrors(error, ['email', 'password'], setError),
  })
  const atField = Object.values(errors).some((one) => one.type === 'server')
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void handleSubmit((form) => login.mutate(form))(event)}
      className="grid gap-2"
    >
      {login.error && !atField ? (
        <ErrorState title="Login Error" message={errorMessage(login.error)} />
      ) : null}
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
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={!hydrated}
        pending={login.isPending}
      >
        Login
      </Button>
    </form>
  )
}
