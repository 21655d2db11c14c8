import { Mail } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { periods, plans, trueYearlySaving, yearlySaving, type Period } from '#shared/plan.ts'
import { useSession } from '#web/api/session.ts'
import { useHasPlans, useSignUps, useSite } from '#web/api/site.ts'
import { limits, PlanCard } from '#web/features/billing/plan-card.tsx'
import { Questions } from '#web/features/billing/questions.tsx'
import { Subscribe } from '#web/features/billing/subscribe.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { dollars, formatNumber } from '#web/i18n/format.ts'
import { t } from '#web/i18n/pricing.ts'
import { noMeta } from '#web/api/load.ts'

export const meta = noMeta

export default function PricingScreen() {
  const { contactEmail, payments } = useSite()
  const hasPlans = useHasPlans()
  const [search] = useSearchParams()
  const wanted = periods.find((one) => one === search.get('period'))
  const [period, setPeriod] = useState<Period>(wanted ?? periods[0])
  return (
    <Container className="grid grid-cols-1 gap-12">
      <PageMeta
        title={t('pricing')}
        description={hasPlans ? t('pricingDescription') : t('premiumForAll')}
        path="/pricing"
      />
      <header className="mx-auto grid max-w-prose gap-2 text-center">
        <h1 className="text-3xl">{t('pricing')}</h1>
        <p className="text-lg text-balance text-ink-soft">
          {hasPlans ? t('pricingText') : t('premiumForAll')}
        </p>
        {payments || !hasPlans ? null : <p>{t('freeForAll', limits)}</p>}
      </header>
      <div className="mx-auto w-full max-w-4xl">
        <Tabs
          label={t('period')}
          aside={<TrueSaving />}
          value={period}
          onValueChange={setPeriod}
          tabs={periods.map((value) => ({
            value,
            label:
              value === 'yearly'
                ? t('yearly', { percent: formatNumber(yearlySaving, { style: 'percent' }) })
                : t('monthly'),
            content: <PlanCards period={value} />,
          }))}
        />
      </div>
      <Questions />
      <section className="grid justify-items-center gap-3 text-center">
        <h2 className="text-2xl">{t('somethingElse')}</h2>
        <Button asChild>
          {contactEmail ? (
            <a href={`mailto:${contactEmail}`}>
              <Mail aria-hidden className="size-4" />
              {t('getInTouch')}
            </a>
          ) : (
            <Link to="/contact">{t('getInTouch')}</Link>
          )}
        </Button>
      </section>
    </Container>
  )
}

/** The label's 20% is the specification's; this is what the prices come to. */
function TrueSaving() {
  const { monthly, yearly } = plans.premium
  return t('trueSaving', {
    yearly: formatNumber(yearly, dollars),
    twelve: formatNumber(12 * monthly, dollars),
    percent: formatNumber(trueYearlySaving, { style: 'percent' }),
  })
}

function PlanCards({ period }: { period: Period }) {
  const isReader = Boolean(useSession())
  const isOpen = useSignUps() === 'open'
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <PlanCard
        plan="free"
        period={period}
        action={
          isReader ? (
            <Button asChild>
              <Link to="/explore">{t('keepReading')}</Link>
            </Button>
          ) : (
            <Button asChild>
              {isOpen ? (
                <Link to="/signup">{t('signUp')}</Link>
              ) : (
                <Link to="/login">{t('login')}</Link>
              )}
            </Button>
          )
        }
      />
      <PlanCard plan="premium" period={period} action={<Subscribe period={period} />} />
    </div>
  )
}
