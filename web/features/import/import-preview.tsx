import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BookPlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ImportOptions, ImportRecord } from '#shared/import.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { deleteImport, updateImport } from '#web/api/imports.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { DoubtfulRows } from './doubtful-rows.tsx'
import { RowLists } from './row-lists.tsx'

/** What an import would add, and what the reader has to decide before. */
export function ImportPreview({ data }: { data: ImportRecord }) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [options, setOptions] = useState<ImportOptions>(data.options ?? {})
  const change = (values: ImportOptions) => setOptions((now) => ({ ...now, ...values }))
  const refresh = () => queries.invalidateQueries({ queryKey: ['import', data.id] })
  const step = useMutation({
    mutationFn: (state: 'applying' | 'reading') => updateImport(api, data.id, { state, options }),
    onSettled: refresh,
  })
  const discard = useMutation({
    mutationFn: () => deleteImport(api, data.id),
    onSuccess: () => navigate('/account/imports', { replace: true }),
  })
  const isKept = options.unmatched !== 'skip'
  const count = data.matched + (isKept ? data.unmatched : 0)
  const dates = data.options?.ambiguous_dates ?? []
  const error = step.error ?? discard.error
  return (
    <>
      <Figures data={data} count={count} isKept={isKept} />
      {data.error ? <ErrorState title="Nothing was added" message={data.error} /> : null}
      {dates.length > 0 ? (
        <DateQuestion
          dates={dates}
          isPending={step.isPending}
          value={options.date_order ?? ''}
          onChange={(date_order) => change({ date_order })}
          onAnswer={() => step.mutate('reading')}
        />
      ) : null}
      {data.doubtful > 0 ? <DoubtfulRows data={data} /> : null}
      <Panel title="Where they go">
        <div className="grid gap-5">
          <ShelfChoice user={data.user} options={options} onChange={change} />
          {data.unmatched > 0 ? (
            <RadioGroup
              label={`${data.unmatched} ${data.unmatched === 1 ? 'book isn’t' : 'books aren’t'} in our catalogue`}
              value={isKept ? 'file' : 'skip'}
              onValueChange={(unmatched) => change({ unmatched })}
              options={[
                { value: 'file', label: 'Add them as your file has them' },
                { value: 'skip', label: 'Leave them out' },
              ]}
            />
          ) : null}
        </div>
      </Panel>
      <RowLists data={data} states={['matched', 'unmatched', 'duplicate', 'invalid', 'skipped']} />
      {error ? <ErrorState title="Data Error" message={errorMessage(error)} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          icon={<BookPlus />}
          pending={step.isPending}
          disabled={count + data.duplicate === 0 || (dates.length > 0 && !options.date_order)}
          onClick={() => step.mutate('applying')}
        >
          {count === 0 && data.duplicate > 0
            ? 'Complete the books you have'
            : `Add ${count} ${count === 1 ? 'book' : 'books'}`}
        </Button>
        <Button
          variant="quiet"
          icon={<Trash2 />}
          pending={discard.isPending}
          onClick={() => discard.mutate()}
        >
          Discard this file
        </Button>
      </div>
    </>
  )
}

/** Figures that add up to the rows of the file. */
function Figures(props: { data: ImportRecord; count: number; isKept: boolean }) {
  const { data, count, isKept } = props
  const left = data.skipped + (isKept ? 0 : data.unmatched)
  return (
    <Panel>
      <StatList>
        <Stat label="To add" value={count} />
        <Stat label="To check" value={data.doubtful} />
        <Stat label="Already there" value={data.duplicate} />
        <Stat label="Not readable" value={data.invalid} />
        {left > 0 ? <Stat label="Left out" value={left} /> : null}
      </StatList>
    </Panel>
  )
}

function DateQuestion(props: {
  dates: readonly string[]
  value: 'dmy' | 'mdy' | ''
  isPending: boolean
  onChange: (order: 'dmy' | 'mdy') => void
  onAnswer: () => void
}) {
  const { dates, value, isPending, onChange, onAnswer } = props
  return (
    <Panel
      title="How are the dates written?"
      description={`The dates in this file can be read in two ways, such as ${dates.slice(0, 3).join(', ')}.`}
    >
      <div className="grid justify-items-start gap-4">
        <RadioGroup
          label={`What is ${dates[0] ?? ''}?`}
          value={value as 'dmy' | 'mdy'}
          onValueChange={onChange}
          options={[
            { value: 'dmy', label: `The day comes first: ${spelled(dates[0], 'dmy')}` },
            { value: 'mdy', label: `The month comes first: ${spelled(dates[0], 'mdy')}` },
          ]}
        />
        <Button disabled={!value} pending={isPending} onClick={onAnswer}>
          Read the dates like this
        </Button>
      </div>
    </Panel>
  )
}

const months =
  'January February March April May June July August September October November December'.split(' ')

/** @returns "4 May 2020" for 04/05/2020 */
function spelled(date = '', order: 'dmy' | 'mdy'): string {
  const [first = 1, second = 1, year = 0] = date.split(/[/.-]/).map(Number)
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return `${day} ${months[month - 1] ?? ''} ${year}`
}

function ShelfChoice(props: {
  user: string
  options: ImportOptions
  onChange: (values: ImportOptions) => void
}) {
  const { user, options, onChange } = props
  const shelves = useQuery(shelfNamesQuery(useApi(), user))
  return (
    <>
      <SelectField
        label="Shelf"
        value={options.shelf ?? ''}
        onChange={(event) => onChange({ shelf: event.currentTarget.value })}
        options={[
          { value: '', label: 'A new shelf' },
          ...(shelves.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {options.shelf ? null : (
        <TextField
          label="Name of the new shelf"
          hint="Only you can see it until you make it public."
          value={options.shelf_name ?? ''}
          maxLength={100}
          onChange={(event) => onChange({ shelf_name: event.currentTarget.value })}
        />
      )}
    </>
  )
}
