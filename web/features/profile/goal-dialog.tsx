import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  daysOfYear,
  filterOfGoal,
  goalNarrowings,
  narrowGoalOf,
  type Goal,
  type GoalNarrowing,
} from '#shared/goal.ts'
import { formats, goalKinds } from '#shared/reading.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { deleteGoal, saveGoal, type GoalEdit } from '#web/api/goals.ts'
import { keys } from '#web/api/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { useDigitsInput } from '#web/ui/digits-input.ts'
import { FieldError } from '#web/ui/field.tsx'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/goals.ts'
import { goalName } from './goal-card.tsx'

/** Sets a goal, or changes one. What the server refuses stays typed. */
export function GoalDialog(
  props: DialogState & {
    /** Absent for a new one. */
    goal?: Goal | undefined
    username: string
    /** The reader's day. */
    today: string
  },
) {
  const { goal, username, today, open, onOpenChange } = props
  const thisYear = Number(today.slice(0, 4))
  const formId = useId()
  const [kind, setKind] = useState(goal?.kind ?? 'books')
  const [target, setTarget] = useState(goal ? String(goal.target) : '')
  const [year, setYear] = useState(goal?.year ?? thisYear)
  const [[from, to], setDays] = useState([goal?.from ?? today, goal?.to ?? ''])
  const known = narrowGoalOf(goal?.filter ?? '')
  const [narrowBy, setNarrowBy] = useState<GoalNarrowing | ''>(known?.by ?? '')
  const [narrowValue, setNarrowValue] = useState(known?.value ?? '')
  const [isPrivate, setPrivate] = useState(goal?.isPrivate ?? false)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const targetInput = useDigitsInput(target, setTarget)
  const pagesInput = useDigitsInput(narrowValue, setNarrowValue)
  const { save, remove } = useGoalEdits(username)
  // A program's own filter stays as it is.
  const hasFilter = goal !== undefined && goal.filter !== '' && known === undefined
  const years = [...new Set([thisYear, thisYear + 1, ...(goal?.year ? [goal.year] : [])])]

  async function submit(): Promise<void> {
    const [first, last] = year ? daysOfYear(year) : [from, to]
    const narrow = narrowBy ? filterOfGoal({ by: narrowBy, value: narrowValue }) : ''
    const filter = hasFilter ? goal.filter : narrow
    const edit = { kind, target: Number(target), from: first, to: last, filter, isPrivate }
    try {
      await save.mutateAsync({ edit, id: goal?.id })
      onOpenChange(false)
    } catch (error) {
      const messages = fieldMessages(error)
      const isShown = ['target', 'from', 'to', 'filter'].some((name) => messages[name])
      setWrong(isShown ? messages : { form: errorMessage(error) })
    }
  }

  return (
    <Dialog
      size="sm"
      title={goal ? t('changeGoal', { goal: goalName(goal) }) : t('setAGoal')}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          {goal ? (
            <Button
              variant="danger"
              className="md:me-auto"
              pending={remove.isPending}
              onClick={() => remove.mutate(goal, { onSuccess: () => onOpenChange(false) })}
            >
              {t('deleteGoal')}
            </Button>
          ) : null}
          <Button type="submit" form={formId} variant="primary" pending={save.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <SegmentedControl
          label={t('kind')}
          value={kind}
          onValueChange={setKind}
          options={goalKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        <TextField label={t('target')} error={wrong['target']} {...targetInput} />
        <SelectField
          label={t('days')}
          value={String(year)}
          options={[
            ...years.map((one) => ({ value: String(one), label: String(one) })),
            { value: '0', label: t('otherDays') },
          ]}
          onChange={(event) => setYear(Number(event.currentTarget.value))}
        />
        {year ? null : (
          <div className="grid gap-x-4 sm:grid-cols-2">
            <TextField
              type="date"
              label={t('from')}
              value={from}
              error={wrong['from']}
              onChange={(event) => setDays([event.currentTarget.value, to])}
            />
            <TextField
              type="date"
              label={t('to')}
              value={to}
              error={wrong['to']}
              onChange={(event) => setDays([from, event.currentTarget.value])}
            />
          </div>
        )}
        {hasFilter ? (
          <p className="text-sm wrap-anywhere text-ink-soft">
            {t('withFilter', { filter: goal.filter })}
          </p>
        ) : (
          <div className="grid gap-x-4 sm:grid-cols-2">
            <SelectField
              label={t('whichBooks')}
              value={narrowBy}
              placeholder={t('allBooks')}
              options={goalNarrowings.map((by) => ({ value: by, label: t(`by.${by}`) }))}
              onChange={(event) => {
                const by = goalNarrowings.find((one) => one === event.currentTarget.value)
                setNarrowBy(by ?? '')
                setNarrowValue(by === 'format' ? formats[0] : '')
              }}
            />
            {narrowBy === 'format' ? (
              <SelectField
                label={t('by.format')}
                value={narrowValue}
                options={formats.map((one) => ({ value: one, label: t(`format.${one}`) }))}
                onChange={(event) => setNarrowValue(event.currentTarget.value)}
              />
            ) : null}
            {narrowBy === 'pages' ? (
              <TextField label={t('by.pages')} error={wrong['filter']} {...pagesInput} />
            ) : null}
            {narrowBy === 'genre' || narrowBy === 'author' ? (
              <TextField
                label={t(`by.${narrowBy}`)}
                hint={t('wholeName')}
                value={narrowValue}
                error={wrong['filter']}
                onChange={(event) => setNarrowValue(event.currentTarget.value)}
              />
            ) : null}
          </div>
        )}
        <Checkbox label={t('onlyMe')} checked={isPrivate} onCheckedChange={setPrivate} />
        <FieldError message={wrong['form']} />
      </form>
    </Dialog>
  )
}

function useGoalEdits(username: string) {
  const api = useApi()
  const queries = useQueryClient()
  const onSettled = () =>
    queries.invalidateQueries({ queryKey: keys.goals(username.toLowerCase()) })
  const save = useMutation({
    mutationFn: ({ edit, id }: { edit: GoalEdit; id: string | undefined }) =>
      saveGoal(api, edit, id),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: ({ id }: Goal) => deleteGoal(api, id),
    onSuccess: (_done, { kind, target, from, to, filter, isPrivate }) => {
      const edit = { kind, target, from, to, filter, isPrivate }
      toast.success(t('deletedGoal'), {
        action: { label: t('undo'), onClick: () => save.mutate({ edit, id: undefined }) },
      })
    },
    onError: (error) => toast.error(errorMessage(error)),
    onSettled,
  })
  return { save, remove }
}
