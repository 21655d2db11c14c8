import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Goal } from '#shared/goal.ts'
import { useApi } from '#web/api/context.ts'
import { goalsQuery } from '#web/api/goals.ts'
import { useProfile } from '#web/api/profile.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { t } from '#web/i18n/goals.ts'
import { FigureSection } from './figure-table.tsx'
import { GoalCard, goalName } from './goal-card.tsx'

const loadDialog = async () => (await import('./goal-dialog.tsx')).GoalDialog

/** A reader's goals. Their owner sets and changes them here. */
export function GoalList() {
  const { profile, isOwner } = useProfile()
  const { data } = useQuery(goalsQuery(useApi(), profile.username))
  const [edited, setEdited] = useState<Goal>()
  const { Dialog, round, state, button } = useLazyDialog(loadDialog)
  const { goals = [], today = '' } = data ?? {}
  if (!data || (goals.length === 0 && !isOwner)) return null
  const open = (goal: Goal | undefined) => {
    setEdited(goal)
    button.onClick()
  }
  return (
    <FigureSection title={t('goals')} how={t('how')}>
      {goals.length === 0 ? <p className="max-w-prose text-ink-soft">{t('noGoals')}</p> : null}
      <ul className="grid gap-6 empty:hidden sm:grid-cols-2 sm:gap-x-12">
        {goals.map((goal) => (
          <li key={goal.id}>
            <GoalCard
              goal={goal}
              today={today}
              action={
                isOwner ? (
                  <IconButton
                    {...button}
                    label={t('changeGoal', { goal: goalName(goal) })}
                    className="-my-3 -me-3 size-11"
                    onClick={() => open(goal)}
                  >
                    <Pencil aria-hidden />
                  </IconButton>
                ) : null
              }
            />
          </li>
        ))}
      </ul>
      {isOwner ? (
        <Button
          {...button}
          icon={<Plus />}
          className="mt-5 min-h-11 print:hidden"
          onClick={() => open(undefined)}
        >
          {t('setAGoal')}
        </Button>
      ) : null}
      {Dialog ? (
        <Dialog key={round} goal={edited} username={profile.username} today={today} {...state} />
      ) : null}
    </FigureSection>
  )
}
