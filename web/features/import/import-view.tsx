import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
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
      return <Applying data={data} />
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

function Applying({ data }: { data: ImportRecord }) {
  const left = data.matched + (data.options?.unmatched === 'skip' ? 0 : data.unmatched)
  const all = data.applied + left
  // Rows of our own export are shelves, readings and settings too.
  const isOwn = data.format === 'octavo'
  return (
    <ProgressBar
      label={isOwn ? t('entriesAdded') : t('booksAdded')}
      percent={all ? (100 * data.applied) / all : 0}
      text={
        isOwn
          ? t('entriesOfAll', { done: data.applied, count: all })
          : t('booksOfAll', { done: data.applied, count: all })
      }
      showText
    />
  )
}

/** Figures that add up to the rows of the file; those of nothing are left out. */
function Done({ data }: { data: ImportRecord }) {
  const shelf = data.options?.shelf
  return (
    <>
      <StatList>
        {data.state === 'done' ? <Stat label={t('added')} value={data.applied} /> : null}
        {figures(data).map(({ label, count }) => (
          <Stat key={label} label={label} value={count} />
        ))}
      </StatList>
      {data.state === 'done' ? (
        <div className="flex flex-wrap gap-2">
          {shelf && data.applied > 0 ? (
            <Button variant="primary" asChild>
              <Link to={`/shelf/${shelf}`}>{t('seeTheShelf')}</Link>
            </Button>
          ) : null}
          {data.applied > 0 ? <UndoButton data={data} /> : null}
        </div>
      ) : null}
      <Warnings data={data} />
      <RowLists data={data} states={['duplicate', 'doubtful', 'unmatched', 'invalid', 'skipped']} />
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
