import { browserLoader, serverLoader } from '#web/api/load.ts'
import { visitorsOnly } from '#web/api/session.ts'
import { EntryPage } from '#web/features/account/entry-page.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { t } from '#web/i18n/entry.ts'

export const loader = serverLoader(visitorsOnly)
export const clientLoader = browserLoader(visitorsOnly)

/** Made with the page: {@link PageHead}. */
export const meta = () => []

export default function SignUpScreen() {
  return (
    <>
      <PageHead title={t('signUp')} description={t('freeToStart')} path="/signup" />
      <EntryPage key="signup" isNew />
    </>
  )
}
