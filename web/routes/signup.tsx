import { browserLoader, serverLoader, noMeta } from '#web/api/load.ts'
import { visitorsOnly } from '#web/api/session.ts'
import { useHasPlans } from '#web/api/site.ts'
import { signInAction } from '#web/features/account/account-actions.ts'
import { SignInPage } from '#web/features/account/sign-in-page.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { t } from '#web/i18n/entry.ts'

export const loader = serverLoader(visitorsOnly)
export const clientLoader = browserLoader(visitorsOnly)

export const action = signInAction(true)

export const meta = noMeta

export default function SignUpScreen() {
  const hasPlans = String(useHasPlans())
  return (
    <>
      <PageMeta title={t('signUp')} description={t('freeToStart', { hasPlans })} path="/signup" />
      <SignInPage key="signup" isNew />
    </>
  )
}
