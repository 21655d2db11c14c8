import { useState } from 'react'
import { Link, redirect, useSearchParams } from 'react-router'
import { safeOrigin } from '#shared/account.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { sessionQuery, type SecondStep } from '#web/api/session.ts'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { CodeStep, fetchCodeForm } from '#web/features/account/code-step.tsx'
import { LegalNote } from '#web/features/account/legal-note.tsx'
import { LoginForm } from '#web/features/account/login-form.tsx'
import { TextLink } from '#web/ui/link.tsx'

const load: Load = async ({ api, fetch }) => {
  if (await fetch(sessionQuery(api))) throw redirect('/')
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: 'Login | Octavo' }]

export default function LoginScreen() {
  const [search] = useSearchParams()
  const [step, setStep] = useState<SecondStep | null>(null)
  const origin = safeOrigin(search.get('origin'))
  if (step) return <CodeStep first={step} origin={origin} />
  return (
    <AccountPage
      title="Login"
      description="Your shelves are where you left them."
      foot={
        <>
          New to Octavo?{' '}
          <TextLink asChild>
            <Link to={{ pathname: '/signup', search: search.toString() }}>Sign Up</Link>
          </TextLink>
        </>
      }
    >
      <LoginForm onCode={(first) => fetchCodeForm().then(() => setStep(first))} />
      <LegalNote />
    </AccountPage>
  )
}
