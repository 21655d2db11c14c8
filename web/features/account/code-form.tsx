import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type * as z from 'zod'
import { otp, otpForm } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { confirmCode, signIn, startReader, type SecondStep } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { OtpInput } from '#web/ui/otp-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AccountPage } from './account-page.tsx'
import { clock, useSecondsLeft } from './countdown.ts'

type Form = z.infer<typeof otpForm>

/** The second step of signing in: the code from the mail, then on to where the reader was going. */
export default function CodeForm({ first, origin }: { first: SecondStep; origin: string }) {
  const [{ step, expires }, setSent] = useState(() => sent(first))
  const { control, handleSubmit, setError, setFocus, reset } = useForm<Form>({
    resolver: zodResolver(otpForm),
    defaultValues: { code: '' },
  })
  // The screen has just become this step, and the code is all there is to type.
  useEffect(() => setFocus('code'), [setFocus])
  const refuse = (error: unknown) =>
    setError('code', { type: 'server', message: errorMessage(error) }, { shouldFocus: true })
  const verify = useVerify(step, origin, refuse)
  const resend = useResend(step, (next) => {
    setSent(sent(next))
    // In this order: a form that was reset knows its fields only after the next drawing.
    setFocus('code')
    reset()
  })
  return (
    <AccountPage
      title="Two-Step Verification"
      description={
        <>
          We sent a {otp.digits}-digit code to <strong className="text-ink">{step.email}</strong>.
          The code expires in {otp.life / 60} minutes.
        </>
      }
    >
      <form
        method="post"
        noValidate
        onSubmit={(event) => void handleSubmit(({ code }) => verify.mutate(code))(event)}
        className="grid gap-4"
      >
        <Controller
          name="code"
          control={control}
          render={({ field, fieldState }) => (
            <OtpInput
              label="Code"
              length={otp.digits}
              name={field.name}
              ref={field.ref}
              value={field.value}
              onChange={field.onChange}
              hint={<TimeLeft key={expires} expires={expires} />}
              error={fieldState.error?.message}
            />
          )}
        />
        <Button type="submit" variant="primary" size="lg" pending={verify.isPending}>
          Verify Code
        </Button>
        <Button variant="quiet" pending={resend.isPending} onClick={() => resend.mutate()}>
          Resend OTP
        </Button>
      </form>
    </AccountPage>
  )
}

const sent = (step: SecondStep) => ({ step, expires: Date.now() + otp.life * 1000 })

/** Silent for screen readers: the sentence above says it once, a count each second would not end. */
function TimeLeft({ expires }: { expires: number }) {
  const seconds = useSecondsLeft(expires)
  if (seconds === 0) return 'The code has expired. Ask for a new one with Resend OTP.'
  return (
    <span aria-hidden className="tabular-nums">
      {clock(seconds)} left
    </span>
  )
}

function useVerify(step: SecondStep, origin: string, onError: (error: unknown) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (code: string) => {
      await confirmCode(api, step, code)
      return startReader(api, queries)
    },
    onSuccess: () => navigate(origin, { replace: true }),
    onError,
  })
}

/**
 * Repeats the first step, which mails a new code; the old one is then worth nothing. Where no mail
 * goes out the server refuses and says why.
 */
function useResend(step: SecondStep, onSent: (step: SecondStep) => void) {
  const api = useApi()
  return useMutation({
    mutationFn: () => signIn(api, step),
    onSuccess: (next) => {
      onSent(next)
      toast.success('re-sent verification email')
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
}
