import { redirect } from 'react-router'
import { afterLogout } from '#shared/origin.ts'
import { serverAction } from '#web/api/act.ts'
import { signOut } from '#web/api/sign-out-notice.ts'
import { MenuPage } from '#web/features/shell/menu-page.tsx'
import { t } from '#web/i18n/shell.ts'

/** Signs out. */
export const action = serverAction(async ({ api }) => {
  await signOut(api)
  return redirect(afterLogout, 303)
})

export const meta = () => [
  { title: `${t('menu')} | Octavo` },
  { name: 'robots', content: 'noindex' },
]

export default MenuPage
