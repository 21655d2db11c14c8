import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, FileText, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImportCandidate, ImportRecord, ImportRow } from '#shared/import.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { importRowsQuery, resolveRows, type RowResolution } from '#web/api/imports.ts'
import { BookLine } from '#web/ui/book-line.tsx'
import { Button } from '#web/ui/button.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { Panel } from '#web/ui/panel.tsx'
import { showError } from '#web/ui/fetch-toast.ts'
import { t } from '#web/i18n/import.ts'
import { importMessage } from '#web/i18n/import-reasons.ts'
import { keys } from '#web/api/query-keys.ts'

/** Rows whose book is uncertain, each with its candidates; decided one by one or together. */
export function DoubtfulRows({ data }: { data: ImportRecord }) {
  const api = useApi()
  const queries = useQueryClient()
  const query = useQuery(importRowsQuery(api, data.id, { state: 'doubtful' }))
  const rows = query.data ?? []
  const settle = useMutation({
    mutationFn: (settled: { id: string; as: RowResolution }[]) => resolveRows(api, settled),
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.import(data.id) }),
  })
  const all = (as: (row: ImportRow) => RowResolution) =>
    settle.mutate(rows.map((row) => ({ id: row.id, as: as(row) })))
  const count = rows.length
  return (
    <Panel title={t('toCheck', { count: data.doubtful })} description={t('toCheckHint')}>
      <div className="grid gap-4">
        {count > 1 ? (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" pending={settle.isPending} onClick={() => all(asFile)}>
              {t('keepAll', { count })}
            </Button>
            <Button size="sm" pending={settle.isPending} onClick={() => all(asCatalogue)}>
              {t('useCatalogueForAll', { count })}
            </Button>
            <Button
              size="sm"
              variant="quiet"
              pending={settle.isPending}
              onClick={() => all(() => ({ state: 'skipped' }))}
            >
              {t('leaveAllOut', { count })}
            </Button>
          </div>
        ) : null}
        <ul ref={keepFocusInRows} className="border-t border-line">
          {rows.map((row) => (
            <Doubtful
              key={row.id}
              row={row}
              isPending={settle.isPending}
              onSettle={(as) => settle.mutate([{ id: row.id, as }])}
            />
          ))}
        </ul>
      </div>
    </Panel>
  )
}

const bookOf = ({ read }: ImportRow): ImportCandidate => ({
  id: '',
  title: read?.title || t('untitled'),
  authors: read?.authors ?? [],
  isbn: read?.isbn ?? '',
  genres: [],
  images: [],
  page_count: read?.pages ?? 0,
})
const asFile = (row: ImportRow): RowResolution => ({ state: 'matched', book: bookOf(row) })
const asCatalogue = (row: ImportRow): RowResolution => ({
  state: 'matched',
  book: row.candidates?.[0] ?? bookOf(row),
})

function Doubtful(props: {
  row: ImportRow
  isPending: boolean
  onSettle: (as: RowResolution) => void
}) {
  const { row, isPending, onSettle } = props
  const own = bookOf(row)
  return (
    <li className="grid gap-3 border-b border-line py-4">
      <p className="text-sm text-ink-soft wrap-anywhere">
        {t('rowReason', { number: row.number, reason: importMessage(row.reason, row.message) })}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Choice
          label={t('inYourFile')}
          book={own}
          action={t('keepAsInFile')}
          icon={<FileText />}
          isPending={isPending}
          onChoose={() => onSettle(asFile(row))}
        />
        {row.candidates?.map((book) => (
          <Choice
            key={book.id}
            label={t(book.isOwned ? 'onYourShelves' : 'inOurCatalogue')}
            book={book}
            action={t('itsThisOne')}
            icon={<Check />}
            isPending={isPending}
            onChoose={() => onSettle({ state: 'matched', book })}
          />
        ))}
      </div>
      <Button
        size="sm"
        variant="quiet"
        icon={<X />}
        className="justify-self-start"
        pending={isPending}
        onClick={() => onSettle({ state: 'skipped' })}
      >
        {t('leaveItOut')}
      </Button>
    </li>
  )
}

function Choice(props: {
  label: string
  book: ImportCandidate
  action: string
  icon: ReactNode
  isPending: boolean
  onChoose: () => void
}) {
  const { label, book, action, icon, isPending, onChoose } = props
  return (
    <div className="grid content-between gap-3 rounded-md border border-line p-3">
      <div className="grid gap-2">
        <p className="text-xs text-ink-soft">{label}</p>
        <div className="flex min-w-0 items-start gap-3">
          <BookLine large title={book.title} authors={book.authors} images={book.images} />
        </div>
      </div>
      <Button
        size="sm"
        icon={icon}
        className="justify-self-start"
        aria-label={t('actionOf', { action, title: book.title })}
        pending={isPending}
        onClick={onChoose}
      >
        {action}
      </Button>
    </div>
  )
}
