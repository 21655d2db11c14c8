import { LogOut, ShieldCheck } from 'lucide-react'
import { Form, Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { Button } from '#web/ui/button.tsx'
import { SideNav, SideNavItem } from '#web/ui/navigation.tsx'
import { t } from '#web/i18n/shell.ts'
import { SideLinks } from './side-links.tsx'
import { useSignOut } from './sign-out.ts'

/** The links of the frame's menus, and Logout, for browsers without scripts. */
export function MenuPage() {
  const session = useSession()
  const signOut = useSignOut()
  return (
    <Container width="narrow">
      <PageHeader title={t('menu')} />
      <div className="grid gap-6">
        <SideLinks place="top" label={t('main')} />
        <SideLinks place="library" label={t('library')} />
        <SideLinks place="account" label={t('account')} />
        {session?.isAdmin ? (
          <SideNav label={t('administration')}>
            <SideNavItem>
              <Link to="/admin">
                <ShieldCheck aria-hidden />
                {t('administration')}
              </Link>
            </SideNavItem>
          </SideNav>
        ) : null}
      </div>
      {session ? (
        <Form
          method="post"
          className="mt-6 border-t border-line pt-6"
          onSubmit={(event) => {
            event.preventDefault()
            signOut.mutate()
          }}
        >
          <Button type="submit" variant="secondary" icon={<LogOut aria-hidden />}>
            {t('logout')}
          </Button>
        </Form>
      ) : null}
    </Container>
  )
}
