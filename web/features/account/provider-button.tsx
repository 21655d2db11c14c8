import { LogIn } from 'lucide-react'
import type { SignInProvider } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { t } from '#web/i18n/entry.ts'

/** "Continue with Google", with the mark that Google asks for, or with another provider. */
export function ProviderButton(props: {
  provider: SignInProvider
  pending?: boolean
  onClick: () => void
}) {
  const { provider, pending, onClick } = props
  const icon = provider.name === 'google' ? <GoogleMark /> : <LogIn className="rtl:-scale-x-100" />
  return (
    <Button size="lg" className="w-full" icon={icon} pending={pending} onClick={onClick}>
      {t('continueWithProvider', { provider: provider.displayName })}
    </Button>
  )
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" aria-hidden>
      <path
        fill="#ea4335"
        d="M24 9.5c3.5 0 6.7 1.2 9.2 3.6l6.9-6.9C35.9 2.4 30.5 0 24 0 14.6 0 6.5 5.4 2.6 13.2l8 6.2C12.4 13.7 17.7 9.5 24 9.5z"
      />
      <path
        fill="#4285f4"
        d="M47 24.5c0-1.6-.2-3.1-.4-4.5H24v9h12.9c-.6 3-2.3 5.5-4.8 7.2l7.7 6C44.4 38 47 31.8 47 24.5z"
      />
      <path
        fill="#fbbc05"
        d="M10.5 28.6c-.5-1.5-.8-3-.8-4.6s.3-3.1.8-4.6l-8-6.2C.9 16.5 0 20.1 0 24s.9 7.500 2.600 10.800l7.900-6.200z"
      />
      <path
        fill="#34a853"
        d="M24 48c6.500 0 11.900-2.100 15.900-5.800l-7.700-6c-2.200 1.500-4.900 2.300-8.200 2.300-6.300 0-11.600-4.200-13.500-9.900l-8 6.200C6.500 42.600 14.600 48 24 48z"
      />
    </svg>
  )
}
