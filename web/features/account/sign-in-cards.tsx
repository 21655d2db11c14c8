import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { loadCode } from '#web/ui/load-code.ts'
import type { User } from '#shared/account.ts'
import { usePasswordSignIn, useSignInCode } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { rich, t } from '#web/i18n/account.ts'

const fetchEmail = () => import('./email-form.tsx')
const fetchPassword = () => import('./password-form.tsx')
const EmailForm = lazy(fetchEmail)
const PasswordForm = lazy(fetchPassword)

/** The email and password. Their forms load on demand, as they are rarely used. */
export function SignInCards({ user }: { user: User }) {
  const hasCode = useSignInCode()
  const hasPasswords = usePasswordSignIn()
  // Both are confirmed with the password.
  if (!hasPasswords)
    return (
      <Panel
        title={t('email')}
        description={rich('noPasswordsForEmail', {
          email: (
            <strong className="text-ink wrap-anywhere">
              <bdi>{user.email}</bdi>
            </strong>
          ),
        })}
      >
        {null}
      </Panel>
    )
  return (
    <>
      <LazyFormPanel
        title={t('email')}
        description={rich(hasCode ? 'codesAndNoticesGoTo' : 'noticesGoTo', {
          email: (
            <strong className="text-ink wrap-anywhere">
              <bdi>{user.email}</bdi>
            </strong>
          ),
        })}
        button={t('changeEmail')}
        preload={fetchEmail}
      >
        <EmailForm />
      </LazyFormPanel>
      <LazyFormPanel
        title={t('password')}
        description={t('changePasswordHint')}
        button={t('changePassword')}
        preload={fetchPassword}
      >
        <PasswordForm user={user} />
      </LazyFormPanel>
    </>
  )
}

function LazyFormPanel(props: {
  title: string
  description: ReactNode
  button: string
  preload: () => Promise<unknown>
  children: ReactNode
}) {
  const { title, description, button, preload, children } = props
  const [open, setOpen] = useState(false)
  const prepare = () => void loadCode(preload).catch(() => undefined)
  return (
    <Panel title={title} description={description}>
      {open ? (
        <Suspense fallback={<Skeleton className="h-11" />}>
          <FocusFirstField>{children}</FocusFirstField>
        </Suspense>
      ) : (
        <Button onPointerEnter={prepare} onFocus={prepare} onClick={() => setOpen(true)}>
          {button}
        </Button>
      )}
    </Panel>
  )
}

/** The pressed button has disappeared: move the focus to the first field. */
function FocusFirstField({ children }: { children: ReactNode }) {
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => sheet.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus(), [])
  return <div ref={sheet}>{children}</div>
}
