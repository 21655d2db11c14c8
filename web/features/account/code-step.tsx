import { Suspense, type ComponentProps } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { AccountPage } from './account-page.tsx'
import { t } from '#web/i18n/entry.ts'

/** The second step is fetched while the first is being answered; call it before showing the step. */
export const fetchCodeStep = () => import('./code-form.tsx')

const CodeForm = lazy(fetchCodeStep)

/** The second step of signing in: the code from the mail. */
export function CodeStep(props: ComponentProps<typeof CodeForm>) {
  return (
    <AccountPage title={t('twoStepVerification')}>
      <Suspense>
        <CodeForm {...props} />
      </Suspense>
    </AccountPage>
  )
}
