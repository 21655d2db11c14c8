import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { signUpSentences } from '#shared/sign-up.ts'
import { Button } from '#web/ui/button.tsx'
import { AccountPage } from './account-page.tsx'

/** What a visitor finds in place of the form where nobody, or nobody without an invitation, signs up. */
export function NoSignUp({ isClosed, foot }: { isClosed: boolean; foot: ReactNode }) {
  return (
    <AccountPage title="Sign Up" foot={foot}>
      <div className="grid gap-4">
        <p>{isClosed ? signUpSentences.closed : signUpSentences.uninvited}</p>
        <p className="text-sm text-ink-soft">
          {isClosed
            ? 'You can look around without an account.'
            : 'If you have a link, open it again. Otherwise ask the administrator of this site for one.'}
        </p>
        <Button size="lg" asChild>
          <Link to="/explore">Explore books</Link>
        </Button>
      </div>
    </AccountPage>
  )
}
