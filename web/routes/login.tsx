import { browserLoader, serverLoader, noMeta } from '#web/api/load.ts'
import { visitorsOnly } from '#web/api/session.ts'
import { signInAction } from '#web/features/account/account-actions.ts'
import { SignInPage } from '#web/features/account/sign-in-page.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { t } from '#web/i18n/entry.ts'

export const loader = serverLoader(visitorsOnly)
export const clientLoader = browserLoader(visitorsOnly)

export const action = signInAction(false)

export const meta = noMeta

export default function LoginScreen() {
  return (
    <>
      <PageMeta title={t('login')} description={t('signInToYourShelves')} path="/login" />
      <SignInPage key="login" />
    </>
  )
}
