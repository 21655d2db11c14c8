import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { plans, type Period, type Plan } from '#shared/plan.ts'
import { useHasPlans } from '#web/api/site.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { dollars, formatNumber } from '#web/i18n/format.ts'
import { t } from '#web/i18n/pricing.ts'

/** The values for messages about the free plan. */
export const limits = { shelves: plans.free.shelves, activities: plans.free.activities }

/** A plan's price and features; `action` is the viewer's button. */
export function PlanCard(props: { plan: Plan; period: Period; action: ReactNode }) {
  const { plan, period, action } = props
  const { name, features, lacks, [period]: price } = plans[plan]
  const hasPlans = useHasPlans()
  const isPopular = plans[plan].isPopular && hasPlans
  return (
    <section
      aria-label={name}
      className={classNames(
        'flex flex-col gap-5 rounded-md border bg-surface p-6 md:p-8',
        isPopular ? 'border-rubric/60' : 'border-line',
      )}
    >
      <header className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-xl">{name}</h2>
          {isPopular ? <Badge tone="rubric">{t('popular')}</Badge> : null}
        </div>
        <p className="flex items-baseline gap-2">
          <span dir="ltr" className="font-serif text-4xl tabular-nums">
            {formatNumber(price, dollars)}
          </span>
          <span className="text-ink-soft">
            {price === 0 ? t('forever') : period === 'monthly' ? t('aMonth') : t('aYear')}
          </span>
        </p>
        <p className="text-ink-soft">{t(`description.${plan}`)}</p>
      </header>
      <ul className="grid gap-2.5">
        {features.map((feature) => (
          <li key={feature} className="flex items-start gap-2.5">
            <Check aria-hidden className="mt-1 size-4 shrink-0 text-rubric" />
            {t(`feature.${feature}`, limits)}
          </li>
        ))}
        {lacks.map((feature) => (
          <li key={feature} className="flex items-start gap-2.5">
            <X aria-hidden className="mt-1 size-4 shrink-0 text-ink-soft" />
            <span className="text-ink-soft">
              <span className="sr-only">{t('notIncluded')} </span>
              <s>{t(`feature.${feature}`)}</s>
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-auto grid gap-2 pt-2">{action}</div>
    </section>
  )
}
