import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useActionData, useLocation, useNavigate, useSearchParams } from 'react-router'
import { otp, secondStepLife } from '#shared/account.ts'
import { safeOrigin, targetAfterSignIn } from '#shared/origin.ts'
import { invitationParameter } from '#shared/sign-up.ts'
import { useApi } from '#web/api/context.ts'
import type { Refusal } from '#web/api/act.ts'
import { completeSignIn, stepOf, type SecondStep } from '#web/api/sign-in.ts'
import { useHasPlans, usePasswordSignIn, useSignUps, useSite } from '#web/api/site.ts'
import { useHydrated } from '#web/ui/hydrated.ts'
import { usePagePath } from '#web/ui/page-path.ts'
import { linkTo } from '#web/ui/link.tsx'
import { rich, t } from '#web/i18n/entry.ts'
import { AccountPage } from './account-page.tsx'
import { CodeStep, fetchCodeStep } from './code-step.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { LegalNote } from './legal-note.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { OtherWaysIn, ProviderRedirectButton } from './provider-sign-in.tsx'
import { SignUpUnavailable } from './sign-up-unavailable.tsx'

/** The door of Octavo: signing in, or signing up, then the code, then on to where one was going. */
export function SignInPage({ isNew = false }: { isNew?: boolean }) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { providers = [] } = useSite()
  const hasPasswords = usePasswordSignIn()
  const [search] = useSearchParams()
  const { step, setStep } = useSecondStep()
  /** The email the reader typed before they went back from the code. */
  const [before, setBefore] = useState<SecondStep>()
  const action = usePagePath()
  const refusal = useActionData<Refusal>() ?? {}
  const signUps = useSignUps()
  const hasPlans = String(useHasPlans())
  const invitation = search.get(invitationParameter) ?? undefined
  const origin = safeOrigin(search.get('origin'))

  async function enter(): Promise<void> {
    await completeSignIn(api, queries)
    await navigate(targetAfterSignIn(search.get('origin'), isNew), { replace: true })
  }
  async function goOn(next: SecondStep | null): Promise<void> {
    if (!next) return enter()
    await fetchCodeStep()
    await setStep(next)
  }

  function goBack(): void {
    if (step) setBefore(step)
    void setStep(null)
  }

  if (step)
    return (
      <CodeStep
        first={step}
        action={action}
        refused={refusal.wrong?.['code']}
        onDone={enter}
        onResent={(next) => void setStep(next)}
        onBack={goBack}
      />
    )
  const other = { pathname: isNew ? '/login' : '/signup', search: search.toString() }
  const foot = rich(isNew ? 'alreadyHaveAnAccount' : 'newToOctavo', { link: linkTo(other) })
  if (isNew && (signUps === 'closed' || (signUps === 'invitation' && !invitation)))
    return <SignUpUnavailable isClosed={signUps === 'closed'} foot={foot} />
  return (
    <AccountPage
      title={isNew ? t('signUp') : t('login')}
      description={isNew ? t('freeToStart', { hasPlans }) : t('yourShelvesAreWhereYouLeftThem')}
      foot={isNew || signUps !== 'closed' ? foot : null}
    >
      {hasPasswords ? (
        <CredentialsForm
          isNew={isNew}
          invitation={invitation}
          before={before}
          action={action}
          refusal={refusal}
          onStep={goOn}
        />
      ) : (
        <p className="mb-4 text-sm">{t('noPasswordsHere')}</p>
      )}
      {providers.length || !isNew ? (
        <OtherWaysIn isAlone={!hasPasswords}>
          {providers.map((provider) => (
            <ProviderRedirectButton
              key={provider.name}
              provider={provider}
              origin={origin}
              invitation={invitation}
            />
          ))}
          {isNew ? null : <PasskeySignIn onDone={enter} />}
        </OtherWaysIn>
      ) : null}
      <LegalNote />
    </AccountPage>
  )
}

/** A step whose times another clock has set, such as the server's or one set back since, begins now. */
function withinLife(step: SecondStep, now: number): SecondStep {
  const isOwn = step.ends > now && step.ends <= now + secondStepLife * 1000
  if (isOwn) return step
  return { ...step, codeEnds: now + otp.life * 1000, ends: now + secondStepLife * 1000 }
}

/**
 * The step of the code. It stands in the state of the page's place in the history, where a reload
 * finds it again, but for the password; on a page that answers a form sent without scripts, in what
 * its action says.
 */
function useSecondStep() {
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const [password, setPassword] = useState<string>()
  const isLive = useHydrated()
  const [opened] = useState(() => Date.now())
  const { step: inHistory } = (state ?? {}) as { step?: SecondStep }
  const posted = stepOf(useActionData<Refusal>()?.typed)
  const kept = isLive && inHistory && inHistory.ends > opened ? inHistory : undefined
  const stored = kept ?? posted
  return {
    step: stored && { ...withinLife(stored, opened), password },
    setStep: async (next: SecondStep | null) => {
      const { password: typed, ...rest } = next ?? {}
      setPassword(typed)
      const options = { replace: true, preventScrollReset: true }
      await navigate({ search }, { ...options, state: next && { step: rest } })
    },
  }
}
