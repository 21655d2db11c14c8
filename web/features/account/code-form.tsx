import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type * as z from 'zod'
import type { otpForm } from '#shared/account-forms.ts'
import { otp, trust } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { confirmCode, readMailIsLate, signIn, type SecondStep } from '#web/api/sign-in.ts'
import { useHasMailServer } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { OtpInput } from '#web/ui/otp-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { rich, t } from '#web/i18n/entry.ts'
import { formatCountdown, useSecondsLeft } from './countdown.ts'
import { prepareResolvers, lazyResolver } from './lazy-resolver.ts'
import { MailboxNote } from './mailbox-note.tsx'
import { keys } from '#web/api/query-keys.ts'

type Form = z.infer<typeof otpForm>

interface CodeFormProps {
  first: SecondStep
  /** Called when the session has started. */
  onDone: () => Promise<unknown>
  /** Back to the address and the password, where the address may be wrong. */
  onBack?: () => void
}

/** The form for the mailed code, on a screen or in a dialog. */
export default function CodeForm({ first, onDone, onBack }: CodeFormProps) {
  const [{ step, expires }, setSent] = useState(() => sent(first))
  const [trustDevice, setTrustDevice] = useState(false)
  const { control, handleSubmit, setError, setFocus, reset } = useForm<Form>({
    resolver: lazyResolver('code'),
    defaultValues: { code: '' },
  })
  // The screen has just become this step, and the code is all there is to type.
  useEffect(() => setFocus('code'), [setFocus])
  const refuse = (error: unknown) =>
    setError('code', { type: 'server', message: whyRefused(error) }, { shouldFocus: true })
  const api = useApi()
  const hasMailServer = useHasMailServer()
  const verify = useMutation({
    mutationFn: async ({ code }: Form) => {
      await confirmCode(api, step, { code, trustDevice })
      await onDone()
    },
    onError: refuse,
  })
  const resend = useResend(step, async (next) => {
    if (!next) return onDone()
    setSent(sent(next))
    // In this order: a form that was reset knows its fields only after the next drawing.
    setFocus('code')
    reset()
  })
  return (
    <form
      method="post"
      noValidate
      onFocusCapture={prepareResolvers}
      onSubmit={(event) => void handleSubmit((form) => verify.mutate(form))(event)}
      className="grid gap-4"
    >
      <p className="text-sm text-ink-soft">
        {rich(hasMailServer ? 'codeSent' : 'codeInMailbox', {
          digits: otp.digits,
          email: (
            <strong className="wrap-anywhere text-ink">
              <bdi>{step.email}</bdi>
            </strong>
          ),
          minutes: otp.life / 60,
        })}
      </p>
      <MailboxNote />
      <Controller
        name="code"
        control={control}
        render={({ field, fieldState }) => (
          <OtpInput
            label={t('code')}
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
      <Checkbox
        label={t('trustThisDevice', { days: trust.days })}
        hint={t('trustThisDeviceHint')}
        checked={trustDevice}
        onCheckedChange={setTrustDevice}
      />
      <Button type="submit" variant="primary" size="lg" pending={verify.isPending}>
        {t('verifyCode')}
      </Button>
      <Button variant="quiet" pending={resend.isPending} onClick={() => resend.mutate()}>
        {t('resendOtp')}
      </Button>
      {onBack ? (
        <Button variant="quiet" onClick={onBack}>
          {t('useAnotherEmail')}
        </Button>
      ) : null}
      <LateMail step={step} />
    </form>
  )
}

/** A half-done sign-in that is used up or too old takes no code any more, also not the right one. */
function whyRefused(error: unknown): string {
  const message = errorMessage(error)
  const isOver = error instanceof Error && error.message.includes('MFA session')
  return isOver ? t('askForANewCode', { message }) : message
}

const sent = (step: SecondStep) => ({ step, expires: Date.now() + otp.life * 1000 })

/** Silent for screen readers: the sentence above says it once, a count each second would not end. */
function TimeLeft({ expires }: { expires: number }) {
  const seconds = useSecondsLeft(expires)
  if (seconds === 0) return t('codeHasExpired')
  return (
    <span aria-hidden className="tabular-nums">
      {t('timeLeft', { time: formatCountdown(seconds) })}
    </span>
  )
}

/** Milliseconds between two looks at whether mail leaves the house. */
const lookAgain = 4000

/** A code that does not come is no riddle: the screen says that mail is waiting. */
function LateMail({ step }: { step: SecondStep }) {
  const api = useApi()
  const { data: isLate } = useQuery({
    queryKey: keys.mailIsLate(step.mfaId),
    queryFn: () => readMailIsLate(api, step),
    refetchInterval: lookAgain,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (!isLate) return null
  return (
    <ErrorState tone="warning" title={t('yourEmailIsDelayed')} message={t('emailIsDelayedHint')} />
  )
}

/**
 * Repeats the first step, which mails a new code; the old one is then worth nothing. Where no mail
 * goes out the server refuses and says why.
 */
function useResend(step: SecondStep, onSent: (step: SecondStep | null) => Promise<unknown> | void) {
  const api = useApi()
  return useMutation({
    mutationFn: () => signIn(api, step),
    onSuccess: async (next) => {
      await onSent(next)
      if (next) toast.success(t('resent'))
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
}
