import { Link } from 'react-router'
import { useSignInCode, useSignUps } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'

export function SignUpCall() {
  const hasCode = useSignInCode()
  if (useSignUps() !== 'open') return null
  return (
    <section className="border-t border-line py-16 md:py-20">
      <Container className="grid justify-items-center gap-5 text-center">
        <h2 className="text-3xl">{t('beginWithTheBookByYourBed')}</h2>
        <p className="max-w-prose text-ink-soft">
          {hasCode ? t('signUpTakesACode') : t('signUpTakes')}
        </p>
        <Button variant="primary" size="lg" asChild>
          <Link to="/signup">{t('signUp')}</Link>
        </Button>
      </Container>
    </section>
  )
}
