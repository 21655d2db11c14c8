import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BookPlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ImportOptions, ImportRecord } from '#shared/import.ts'
import { fullYear } from '#shared/partial-date.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { deleteImport, updateImport } from '#web/api/imports.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { DoubtfulRows } from './doubtful-rows.tsx'
import { LabelTables } from './label-table.tsx'
import { RowLists } from './row-lists.tsx'
import { Warnings } from './warnings.tsx'
import { formatDate, formatList } from '#web/i18n/format.ts'
import { t } from '#web/i18n/import.ts'
import { keys } from '#web/api/query-keys.ts'
import { importMessage } from '#web/i18n/import-reasons.ts'

/** The books that an import would add, and the decisions it needs first. */
export function ImportPreview({ data }: { data: ImportRecord }) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [options, setOptions] = useState<ImportOptions>({
    // The server names the source; a table has none.
    shelf_name: t('importedBooks'),
    ...data.options,
  })
  const change = (values: ImportOptions) => setOptions((now) => ({ ...now, ...values }))
  const refresh = () => queries.invalidateQueries({ queryKey: keys.import(data.id) })
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
  // Our own export says where its books go, unless its shelves are more than the plan has room for.
  const isShelfAsked = data.format !== 'octavo' || data.error !== ''
  const error = step.error ?? discard.error
  return (
    <>
      <Figures data={data} count={count} isKept={isKept} />
      <div className="flex flex-col gap-8 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-12">
        <div className="grid grid-cols-1 content-start gap-8">
          {data.error ? (
            <ErrorState
              title={t('nothingAdded')}
              message={importMessage(data.error, data.message)}
            />
          ) : null}
          {dates.length > 0 ? (
            <DateQuestion
              dates={dates}
              isPending={step.isPending}
              value={options.date_order ?? ''}
              onChange={(date_order) => change({ date_order })}
              onAnswer={() => step.mutate('reading')}
            />
          ) : null}
          <LabelTables labels={data.labels ?? []} options={options} onChange={change} />
          {data.doubtful > 0 ? <DoubtfulRows data={data} /> : null}
          {isShelfAsked ? (
            <Panel title={t('whereTheyGo')}>
              <div className="grid gap-5">
                <ShelfChoice user={data.user} options={options} onChange={change} />
                {data.unmatched > 0 ? (
                  <RadioGroup
                    label={t('notInCatalogue', { count: data.unmatched })}
                    value={isKept ? 'file' : 'skip'}
                    onValueChange={(unmatched) => change({ unmatched })}
                    options={[
                      { value: 'file', label: t('addAsInFile') },
                      { value: 'skip', label: t('leaveThemOut') },
                    ]}
                  />
                ) : null}
              </div>
            </Panel>
          ) : null}
          <RowLists
            data={data}
            states={['matched', 'unmatched', 'duplicate', 'invalid', 'skipped']}
          />
          {error ? <ErrorState title={t('dataError')} message={errorMessage(error)} /> : null}
        </div>
        {/* On a phone the buttons stay at the edge of the screen, above the bar. */}
        <aside className="contents lg:sticky lg:top-20 lg:flex lg:flex-col-reverse lg:gap-6 lg:self-start">
          <Warnings data={data} />
          <div className="grid gap-2 max-lg:sticky max-lg:bottom-0 max-lg:z-30 max-lg:-mx-4 max-lg:flex max-lg:flex-wrap max-lg:border-t max-lg:border-line max-lg:bg-paper max-lg:px-4 max-lg:py-3 max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]">
            <Button
              variant="primary"
              icon={<BookPlus />}
              className="max-lg:grow"
              pending={step.isPending}
              disabled={count + data.duplicate === 0 || (dates.length > 0 && !options.date_order)}
              onClick={() => step.mutate('applying')}
            >
              {label(data, count)}
            </Button>
            <Button
              variant="quiet"
              icon={<Trash2 />}
              className="max-sm:grow"
              pending={discard.isPending}
              onClick={() => discard.mutate()}
            >
              {t('discardFile')}
            </Button>
          </div>
        </aside>
      </div>
    </>
  )
}

function label({ format, duplicate }: ImportRecord, count: number): string {
  if (count === 0 && duplicate > 0) return t('completeBooks')
  return format === 'octavo' ? t('addEntries', { count }) : t('addBooks', { count })
}

/** Figures that add up to the rows of the file. */
function Figures(props: { data: ImportRecord; count: number; isKept: boolean }) {
  const { data, count, isKept } = props
  const left = data.skipped + (isKept ? 0 : data.unmatched)
  return (
    <StatList>
      <Stat label={t('figure.add')} value={count} />
      <Stat label={t('figure.check')} value={data.doubtful} />
      <Stat label={t('figure.duplicate')} value={data.duplicate} />
      <Stat label={t('figure.invalid')} value={data.invalid} />
      {left > 0 ? <Stat label={t('figure.left')} value={left} /> : null}
    </StatList>
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
  const [date = ''] = dates
  const [dmy, mdy] = [spelled(date, 'dmy'), spelled(date, 'mdy')]
  const question = t('dateQuestion', { date, first: mdy, second: dmy })
  return (
    <Panel
      title={question}
      description={t('dateQuestionHint', { dates: formatList(dates.slice(0, 3)) })}
    >
      <div className="grid justify-items-start gap-4">
        <SegmentedControl
          label={question}
          value={value}
          onValueChange={(order) => order && onChange(order)}
          options={[
            { value: 'mdy', label: mdy },
            { value: 'dmy', label: dmy },
          ]}
        />
        <Button disabled={!value} pending={isPending} onClick={onAnswer}>
          {t('readDates')}
        </Button>
      </div>
    </Panel>
  )
}

/** @returns "May 4, 2020" for 04/05/2020 */
function spelled(date: string, order: 'dmy' | 'mdy'): string {
  const [first = 1, second = 1, digits = 0] = date.split(/[/.-]/).map(Number)
  const year = digits < 100 ? fullYear(digits) : digits
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return formatDate(new Date(Date.UTC(year, month - 1, day)), {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
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
        label={t('shelf')}
        value={options.shelf ?? ''}
        onChange={(event) => onChange({ shelf: event.currentTarget.value })}
        options={[
          { value: '', label: t('aNewShelf') },
          ...(shelves.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {options.shelf ? null : (
        <TextField
          label={t('shelfName')}
          hint={t('shelfNameHint')}
          value={options.shelf_name ?? ''}
          maxLength={100}
          onChange={(event) => onChange({ shelf_name: event.currentTarget.value })}
        />
      )}
    </>
  )
}
