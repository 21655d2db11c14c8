import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BookPlus, Undo2 } from 'lucide-react'
import { Link } from 'react-router'
import { importUndoDays, type ImportRecord } from '#shared/import.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { importQuery, updateImport, useLiveImports } from '#web/api/imports.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { showError } from '#web/ui/fetch-toast.ts'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { Completion } from './completion.tsx'
import { DoubtfulRows } from './doubtful-rows.tsx'
import { ImportEnd } from './import-end.tsx'
import { ImportPreview } from './import-preview.tsx'
import { nameOf } from './import-home.tsx'
import { RowLists } from './row-lists.tsx'
import { Warnings } from './warnings.tsx'
import { t } from '#web/i18n/import.ts'
import { keys } from '#web/api/query-keys.ts'
import { importMessage } from '#web/i18n/import-reasons.ts'

/** One import: what is in it, how far it is, and how to take it back. */
export function ImportView({ id }: { id: string }) {
  useLiveImports(useSession()?.user.id ?? '')
  const query = useQuery(importQuery(useApi(), id))
  if (!query.data) return query.isError ? <ErrorState {...dataError(query)} /> : null
  const { data } = query
  // Rows of our own export are shelves, readings and settings, too.
  const isLibrary = data.format !== 'octavo'
  if (isLibrary && data.state === 'applying') return <Applying data={data} />
  if (isLibrary && data.state === 'done' && data.applied > 0) return <Arrived data={data} />
  const hasLabels = data.state === 'waiting' && (data.labels?.length ?? 0) > 0
  return (
    <Container width={data.state === 'waiting' ? 'page' : 'narrow'}>
      <PageHeader
        eyebrow={hasLabels ? titleOf(data) : undefined}
        title={hasLabels ? t('whatShelvesBecome') : titleOf(data)}
        description={description(data)}
      />
      <div className="grid grid-cols-1 gap-6">
        <State data={data} />
      </div>
    </Container>
  )
}

function titleOf(data: ImportRecord): string {
  const { format } = data
  if (!format) return t('importFrom.file')
  if (format === 'isbns' || format === 'table') return t(`importFrom.${format}`)
  return t('importFrom', { name: nameOf(data) })
}

function description({ state, total }: ImportRecord): string | undefined {
  if (state === 'failed') return undefined
  return t(`description.${state}`, { count: total, days: importUndoDays })
}

function State({ data }: { data: ImportRecord }) {
  switch (data.state) {
    case 'reading':
      return <Busy text={data.total ? t('rowsRead', { count: data.total }) : t('readingTheFile')} />
    case 'waiting':
      return <ImportPreview key={data.id} data={data} />
    case 'applying':
      return <Progress data={data} />
    case 'undoing':
      return <Busy text={t('state.undoing')} />
    case 'failed':
      return (
        <ErrorState
          title={t('cannotBeImported')}
          message={importMessage(data.error, data.message)}
          action={
            <Button size="sm" asChild>
              <Link to="/account/imports">{t('chooseAnotherFile')}</Link>
            </Button>
          }
        />
      )
    default:
      return <Done data={data} />
  }
}

function Busy({ text }: { text: string }) {
  return (
    <output className="grid gap-2">
      <span className="h-1.5 w-full animate-pulse rounded-full bg-rubric/40" />
      <span className="text-sm text-ink-soft tabular-nums">{text}</span>
    </output>
  )
}

const totalOf = ({ applied, matched, unmatched, options }: ImportRecord) =>
  applied + matched + (options?.unmatched === 'skip' ? 0 : unmatched)

function Progress({ data }: { data: ImportRecord }) {
  const [done, count] = [data.applied, totalOf(data)]
  const isOwn = data.format === 'octavo'
  return (
    <ProgressBar
      label={isOwn ? t('entriesAdded') : t('booksAdded')}
      percent={count ? (100 * done) / count : 0}
      text={isOwn ? t('entriesOfAll', { done, count }) : t('booksOfAll', { done, count })}
      showText
    />
  )
}

/** The library while it fills. */
function Applying({ data }: { data: ImportRecord }) {
  return (
    <ImportEnd data={data} total={totalOf(data)}>
      <p className="text-ink-soft">{description(data)}</p>
      <Progress data={data} />
    </ImportEnd>
  )
}

/** The library once it is there, what needs a look, and how to take it back. */
function Arrived({ data }: { data: ImportRecord }) {
  const shelf = data.options?.shelf
  return (
    <ImportEnd data={data} total={data.applied} aside={<NeedsALook data={data} />}>
      <div className="flex flex-wrap gap-2">
        {shelf ? (
          <Button variant="quiet" asChild>
            <Link to={`/shelf/${shelf}`}>{t('seeTheShelf')}</Link>
          </Button>
        ) : null}
        <UndoButton data={data} />
      </div>
      <Completion id={data.id} applied={data.applied} />
      <p className="text-sm text-ink-soft">
        {titleOf(data)}. {description(data)}
      </p>
    </ImportEnd>
  )
}

function NeedsALook({ data }: { data: ImportRecord }) {
  const isClean = !figures(data).length && !Object.keys(data.warnings ?? {}).length
  if (isClean && !data.unused?.length) return null
  return (
    <>
      <h2 className="text-xl">{t('needsALook')}</h2>
      <Outcome data={data} />
    </>
  )
}

/** Adds the rows that were decided after the others. */
function AddDecided({ data: { id, matched } }: { data: ImportRecord }) {
  const api = useApi()
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: () => updateImport(api, id, { state: 'applying' }),
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.import(id) }),
  })
  return (
    <Button
      icon={<BookPlus />}
      pending={add.isPending}
      className="justify-self-start"
      onClick={() => add.mutate()}
    >
      {t('addBooks', { count: matched })}
    </Button>
  )
}

/** An import that has ended without books on shelves: of our own export, or undone. */
function Done({ data }: { data: ImportRecord }) {
  return (
    <>
      {data.state === 'done' && data.applied > 0 ? (
        <>
          <UndoButton data={data} />
          <Completion id={data.id} applied={data.applied} />
        </>
      ) : null}
      <Outcome data={data} isAddedShown={data.state === 'done'} />
    </>
  )
}

/** Figures that add up to the rows of the file, rows to decide, and the other rows. */
function Outcome(props: { data: ImportRecord; isAddedShown?: boolean }) {
  const { data, isAddedShown = false } = props
  const isDone = data.state === 'done'
  const some = figures(data)
  return (
    <>
      {isAddedShown || some.length ? (
        <StatList>
          {isAddedShown ? <Stat label={t('added')} value={data.applied} /> : null}
          {some.map(({ label, count }) => (
            <Stat key={label} label={label} value={count} />
          ))}
        </StatList>
      ) : null}
      {isDone && data.doubtful > 0 ? <DoubtfulRows data={data} /> : null}
      {isDone && data.matched > 0 ? <AddDecided data={data} /> : null}
      <Warnings data={data} />
      <RowLists
        data={data}
        states={[
          ...(isDone ? [] : ['doubtful' as const]),
          ...(['unmatched', 'duplicate', 'invalid', 'skipped'] as const),
        ]}
      />
    </>
  )
}

const figures = (data: ImportRecord) =>
  [
    { label: t('figure.duplicate'), count: data.duplicate },
    { label: t('figure.undecided'), count: data.doubtful + data.matched },
    { label: t('figure.unmatched'), count: data.unmatched },
    { label: t('figure.invalid'), count: data.invalid },
    { label: t(data.state === 'undone' ? 'figure.undone' : 'figure.left'), count: data.skipped },
  ].filter(({ count }) => count > 0)

function UndoButton({ data: { id, applied } }: { data: ImportRecord }) {
  const api = useApi()
  const queries = useQueryClient()
  const undo = useMutation({
    mutationFn: () => updateImport(api, id, { state: 'undone' }),
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.import(id) }),
  })
  return (
    <LazyConfirmButton
      icon={<Undo2 />}
      description={t('undoQuestion', { count: applied })}
      confirmLabel={t('undoImport')}
      onConfirm={() => undo.mutateAsync()}
    >
      {t('undoImport')}
    </LazyConfirmButton>
  )
}
