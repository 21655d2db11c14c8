import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type * as z from 'zod'
import type { otpForm } from '#shared/account-forms.ts'
import { otp, trust } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import {
  confirmCode,
  fieldsOfStep,
  readMailIsLate,
  resendCode,
  type SecondStep,
} from '#web/api/sign-in.ts'
import { useHasMailServer } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { OtpInput } from '#web/ui/otp-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { rich, t } from '#web/i18n/entry.ts'
import { codeRefusal } from './code-refusal.ts'
import { formatCountdown, useSecondsLeft } from './countdown.ts'
import { accountResolver, prepareResolvers } from './account-resolver.ts'
import { MailboxNote } from './mailbox-note.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { useErrorsOf } from './refusal.ts'
import { keys } from '#web/api/query-keys.ts'

type Form = z.infer<typeof otpForm>

interface CodeFormProps {
  first: SecondStep
  /** Where the form goes without scripts; there it needs them if absent. */
  action?: string
  /** Why the code was refused that was sent without scripts. */
  refused?: string | undefined
  /** Called when the session has started. */
  onDone: () => Promise<unknown>
  /** Told of the step that another code belongs to. */
  onResent?: (step: SecondStep) => void
  /** Back to the address and the password, where the address may be wrong. */
  onBack?: () => void
}

/** The form for the mailed code, on a screen or in a dialog. */
export default function CodeForm(props: CodeFormProps) {
  const { first, action, refused, onDone, onResent, onBack } = props
  const [step, setStep] = useState(first)
  const [trustDevice, setTrustDevice] = useState(false)
  const { control, handleSubmit, setError, clearErrors, setFocus, reset } = useForm<Form>({
    resolver: accountResolver('code'),
    // A code that is still being typed isn't wrong.
    reValidateMode: 'onSubmit',
    defaultValues: { code: '' },
    errors: useErrorsOf<Form>(refused ? { wrong: { code: refused } } : {}),
  })
  // The screen has just become this step, and the code is all there is to type.
  useEffect(() => setFocus('code'), [setFocus])
  const refuse = (error: unknown) =>
    setError('code', { type: 'server', message: codeRefusal(error) }, { shouldFocus: true })
  // A code that is late lives from when it is sent.
  const isLate = useIsMailLate(step, () =>
    setStep({ ...step, codeEnds: Date.now() + otp.life * 1000 }),
  )
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
    setStep(next)
    onResent?.(next)
    // In this order: a form that was reset knows its fields only after the next drawing.
    setFocus('code')
    reset()
  })
  const submit = handleSubmit((form) => {
    if (!verify.isPending) verify.mutate(form)
  })
  // Without the password a sign-in that is over begins anew.
  const isOver = () => step.password === undefined && Date.now() > step.ends
  return (
    <form
      method="post"
      action={action}
      noValidate
      onFocusCapture={prepareResolvers}
      onSubmit={(event) => void submit(event)}
      className="grid gap-4"
    >
      {Object.entries(fieldsOfStep(step)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
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
      {/* Before the code, whose last digit sends the form. */}
      <Checkbox
        name="trustDevice"
        label={t('trustThisDevice', { days: trust.days })}
        hint={t('trustThisDeviceHint')}
        checked={trustDevice}
        onCheckedChange={setTrustDevice}
      />
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
            onChange={(code) => {
              clearErrors('code')
              field.onChange(code)
            }}
            onComplete={() => void submit()}
            hint={isLate ? null : <TimeLeft key={step.codeEnds} expires={step.codeEnds} />}
            error={fieldState.error?.message}
          />
        )}
      />
      <Button type="submit" variant="primary" size="lg" pending={verify.isPending}>
        {t('verifyCode')}
      </Button>
      <Button
        type="submit"
        name="intent"
        value="resend"
        variant="quiet"
        pending={resend.isPending}
        onClick={(event) => {
          event.preventDefault()
          if (onBack && isOver()) onBack()
          else resend.mutate()
        }}
      >
        {t('resendOtp')}
      </Button>
      <PasskeySignIn mfaId={step.mfaId} onDone={onDone} />
      {onBack ? (
        <Button variant="quiet" asChild>
          <Link
            to={action ?? ''}
            onClick={(event) => {
              event.preventDefault()
              onBack()
            }}
          >
            {t('useAnotherEmail')}
          </Link>
        </Button>
      ) : null}
      {isLate ? (
        <ErrorState
          tone="warning"
          title={t('yourEmailIsDelayed')}
          message={t('emailIsDelayedHint')}
        />
      ) : null}
    </form>
  )
}

/** Silent for screen readers: the sentence above says it once, a count each second would not end. */
function TimeLeft({ expires }: { expires: number }) {
  const seconds = useSecondsLeft(expires)
  // Without scripts it would stand still.
  if (!useHydrated()) return null
  if (seconds === 0) return t('codeHasExpired')
  return (
    <span aria-hidden className="tabular-nums">
      {t('timeLeft', { time: formatCountdown(seconds) })}
    </span>
  )
}

/** Milliseconds between two looks at whether mail leaves the house. */
const lookAgain = 4000

/**
 * Whether the code's mail still waits for the mail server.
 *
 * @param onSent called when the wait is over
 */
function useIsMailLate(step: SecondStep, onSent: () => void): boolean {
  const api = useApi()
  const { data: isLate = false } = useQuery({
    queryKey: keys.mailIsLate(step.mfaId),
    queryFn: () => readMailIsLate(api, step),
    refetchInterval: lookAgain,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const [wasLate, setWasLate] = useState(isLate)
  if (wasLate !== isLate) {
    setWasLate(isLate)
    if (!isLate) onSent()
  }
  return isLate
}

/**
 * Repeats the first step, which mails a new code; the old one is then worth nothing. Where no mail
 * goes out the server refuses and says why.
 */
function useResend(step: SecondStep, onSent: (step: SecondStep | null) => Promise<unknown> | void) {
  const api = useApi()
  return useMutation({
    mutationFn: () => resendCode(api, step),
    onSuccess: async (next) => {
      await onSent(next)
      if (next) toast.success(t('resent'))
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
}
