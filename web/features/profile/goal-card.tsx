import { Check, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { narrowGoalOf, type Goal } from '#shared/goal.ts'
import { formats } from '#shared/reading.ts'
import { partialDateText } from '#shared/partial-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { formatNumber, withCommas } from '#web/i18n/format.ts'
import { rich, t } from '#web/i18n/goals.ts'
import { currentLanguage } from '#web/i18n/language.ts'

const dayText = (day: string) => partialDateText(day, currentLanguage())

/** @returns "2026", or "Jun 1, 2026 – Aug 31, 2026" */
function goalDays({ year, from, to }: Pick<Goal, 'year' | 'from' | 'to'>): string {
  return year ? String(year) : `${dayText(from)} – ${dayText(to)}`
}

/** @returns "Books, 2026" */
export function goalName(goal: Pick<Goal, 'kind' | 'year' | 'from' | 'to'>): string {
  return withCommas([t(`kind.${goal.kind}`), goalDays(goal)])
}

/** @returns which books count: "Fantasy", "At least 500 pages"; '' for all */
function filterText(filter: string): string {
  const narrow = narrowGoalOf(filter)
  if (!narrow) return filter && t('withFilter', { filter })
  const { by, value } = narrow
  if (by === 'pages') return t('atLeastPages', { count: Number(value) })
  const format = by === 'format' ? formats.find((one) => one === value) : undefined
  return format ? t(`format.${format}`) : value
}

/** How far a reader is on the way to a goal, and whether that is ahead of an even pace. */
export function GoalCard(props: { goal: Goal; today: string; action?: ReactNode }) {
  const { goal, today, action } = props
  const { kind, target, value, plan, filter, isPrivate } = goal
  const isRunning = today >= goal.from && today <= goal.to
  const facts = [
    goalDays(goal),
    filterText(filter),
    isRunning && value < target
      ? t('toGo', { count: formatNumber(target - value), day: dayText(goal.to) })
      : '',
  ]
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="text-ink-soft">
          {rich(`progress.${kind}`, {
            value: formatNumber(value),
            target,
            big: (text) => (
              <strong key="value" className="font-serif text-2xl font-normal text-ink tabular-nums">
                {text}
              </strong>
            ),
          })}
        </p>
        <Pace goal={goal} today={today} />
      </div>
      <Bar share={value / target} plan={isRunning && plan < target ? plan / target : undefined} />
      <div className="flex items-center justify-between gap-3 text-sm text-ink-soft">
        <p className="min-w-0 wrap-anywhere">
          {facts.filter(Boolean).join(' · ')}
          {isPrivate ? (
            <>
              <Lock aria-hidden className="ms-1.5 inline size-3.5" />
              <span className="sr-only">{t('onlyYou')}</span>
            </>
          ) : null}
        </p>
        {action}
      </div>
    </div>
  )
}

function Pace({ goal, today }: { goal: Goal; today: string }) {
  const { kind, value, target, plan, from, to } = goal
  const ahead = value - plan
  if (value >= target)
    return (
      <p className="flex items-center gap-1 text-sm font-medium text-completed">
        <Check aria-hidden className="size-4" />
        {t('reached')}
      </p>
    )
  const words =
    today < from
      ? t('begins', { day: dayText(from) })
      : today > to
        ? t('ended', { day: dayText(to) })
        : ahead === 0
          ? t('onPace')
          : t(`${ahead > 0 ? 'ahead' : 'behind'}.${kind}`, { count: Math.abs(ahead) })
  const isGood = today >= from && today <= to && ahead >= 0
  return (
    <p className={classNames('text-sm font-medium', isGood ? 'text-completed' : 'text-ink-soft')}>
      {words}
    </p>
  )
}

/** A progress bar with a mark for an even pace. The text beside it says both. */
function Bar({ share, plan }: { share: number; plan: number | undefined }) {
  return (
    <svg aria-hidden height="14" className="w-full rtl:-scale-x-100">
      <rect y="3" width="100%" height="8" rx="4" className="fill-line" />
      <rect
        y="3"
        width={`${Math.min(1, share) * 100}%`}
        height="8"
        rx="4"
        className="fill-rubric"
      />
      {plan === undefined ? null : (
        <rect x={`${plan * 100}%`} width="2" height="14" className="fill-ink" />
      )}
    </svg>
  )
}
