import type { ReactNode } from 'react'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { fieldMessages } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { t } from '#web/i18n/entry.ts'
import { AccountPage } from './account-page.tsx'

/** The loader of a link's screen. It runs on the server: the clock of a device may be wrong by days. */
export function loadLink({ url }: LoaderFunctionArgs): { isExpired: boolean } {
  return { isExpired: isExpired(url.searchParams.get('token') ?? '') }
}

/** As far as can be told without the account. */
function isExpired(token: string): boolean {
  const [, payload = ''] = token.split('.')
  try {
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const { exp } = JSON.parse(json) as { exp?: unknown }
    return typeof exp !== 'number' || exp * 1000 <= Date.now()
  } catch {
    return true
  }
}

/** Whether the server refused a link: used up, run out, or the account has changed since. */
export function isRefusedLink(error: unknown): boolean {
  return fieldMessages(error)['token'] !== undefined
}

/** Instead of the form behind a link that does nothing any more. */
export function ExpiredLink({ again }: { again: { label: string; to: string } }) {
  return (
    <LinkResult
      title={t('thisLinkNoLongerWorks')}
      action={
        <Button variant="primary" size="lg" asChild>
          <Link to={again.to}>{again.label}</Link>
        </Button>
      }
    >
      {t('eachLinkWorksOnce')}
    </LinkResult>
  )
}

/** The result of a link: a sentence and a link to continue. */
export function LinkResult(props: {
  title: string
  children: ReactNode
  action: ReactNode
  foot?: ReactNode
}) {
  return (
    <AccountPage title={props.title} foot={props.foot}>
      <div className="grid gap-6">
        <output className="text-ink-soft">{props.children}</output>
        {props.action}
      </div>
    </AccountPage>
  )
}
