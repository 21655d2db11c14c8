import { Link } from 'react-router'
import { useHasPlans, useSignUps } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'
import type { LandingBook } from './landing-books.ts'
import { OpenShelf } from './open-shelf.tsx'
import { RatingScaleContext } from '#web/ui/rating-scale.ts'
import { TryIt } from './try-it.tsx'

export function Hero(props: { hero: LandingBook | undefined; books: readonly LandingBook[] }) {
  const { hero, books } = props
  const isOpen = useSignUps() === 'open'
  const hasPlans = String(useHasPlans())
  return (
    <>
      <Container className="grid grid-cols-1 items-center gap-12 py-4 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-16 lg:py-8">
        <div className="grid gap-6">
          <h1 className="text-3xl md:text-4xl lg:text-[4rem] lg:leading-[1.04]">{t('heading')}</h1>
          <p className="max-w-prose text-lg text-ink-soft">{t('headingText')}</p>
          <div className="flex flex-wrap gap-3">
            <Button variant="primary" size="lg" asChild>
              {isOpen ? (
                <Link to="/signup">{t('startYourFirstShelf')}</Link>
              ) : (
                <Link to="/login">{t('login')}</Link>
              )}
            </Button>
            <Button size="lg" asChild>
              <Link to="/explore">{t('lookAroundFirst')}</Link>
            </Button>
          </div>
          {isOpen ? (
            <p className="text-sm text-ink-soft">{t('freeToStartNoCard', { hasPlans })}</p>
          ) : null}
        </div>
        {hero ? (
          // The sample rating is one of five stars.
          <RatingScaleContext value={5}>
            <TryIt book={hero} />
          </RatingScaleContext>
        ) : null}
      </Container>
      <OpenShelf books={books} />
    </>
  )
}
