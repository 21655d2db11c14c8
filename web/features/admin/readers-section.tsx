import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { adminReaderSorts, type AdminReader, type AdminReaderSort } from '#shared/admin.ts'
import { adminReadersQuery } from '#web/api/admin.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { t } from '#web/i18n/admin.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useSearchParamText } from '#web/ui/search-param-text.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Ago, Day } from '#web/ui/timestamp.tsx'
import { DataTable, Pager, type Column } from './data-table.tsx'
import { ReaderDialog } from './reader-dialog.tsx'
import { readersAddress } from './sections.ts'

/** Milliseconds from the last letter to the search. */
const debounce = 400

const columns = (): Column<AdminReader>[] => [
  {
    label: t('reader'),
    cell: (reader) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi>{reader.username}</bdi>
        <Marks of={reader} />
      </span>
    ),
  },
  { label: t('email'), cell: ({ email }) => <bdi>{email}</bdi> },
  { label: t('since'), cell: ({ since }) => <Day timestamp={since} /> },
  {
    label: t('lastSeen'),
    cell: ({ seen }) => (seen ? <Ago timestamp={seen} /> : t('never')),
  },
  { label: t('books'), cell: ({ books }) => formatNumber(books), isNumber: true },
  { label: t('space'), cell: ({ space }) => formatSpace(space), isNumber: true },
]

/** The readers of the site. */
export function ReadersSection() {
  const [search, setSearch] = useSearchParams()
  const address = readersAddress(search)
  const query = useQuery(adminReadersQuery(useApi(), address))
  const [chosen, setChosen] = useState<AdminReader>()
  const write = (q: string, sort: AdminReaderSort) =>
    setSearch(
      { ...(q && { q }), ...(sort === 'name' && { sort }) },
      { replace: true, preventScrollReset: true },
    )
  const { ref, text, type, applyNow } = useSearchParamText(address.q, debounce, (words) =>
    write(words, address.sort),
  )
  const { items, totalItems, totalPages } = query.data ?? {
    items: [],
    totalItems: 0,
    totalPages: 0,
  }
  return (
    <>
      <search className="mb-4 flex flex-wrap gap-3">
        <form
          className="max-w-md min-w-0 flex-[1_1_16rem]"
          onSubmit={(event) => {
            event.preventDefault()
            applyNow()
          }}
        >
          <TextField
            ref={ref}
            type="search"
            name="q"
            label={t('searchReaders')}
            hideLabel
            placeholder={t('searchReaders')}
            icon={<Search />}
            maxLength={255}
            autoComplete="off"
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
          />
        </form>
        <SelectField
          label={t('sort')}
          hideLabel
          className="w-fit min-w-38 shrink-0"
          value={address.sort}
          options={adminReaderSorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
          onChange={(event) => {
            const sort = event.currentTarget.value as AdminReaderSort
            applyNow((words) => write(words, sort))
          }}
        />
      </search>
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {query.data ? (
        <output className="mb-2 block text-sm text-ink-soft">
          {t('readerCount', { count: totalItems })}
        </output>
      ) : null}
      {query.data && items.length === 0 ? <EmptyState>{t('noReadersFound')}</EmptyState> : null}
      {items.length > 0 ? (
        <DataTable
          label={t('readers')}
          columns={columns()}
          rows={items}
          keyOf={({ username }) => username}
          actions={(reader) => (
            <Button
              size="sm"
              aria-haspopup="dialog"
              aria-label={t('manageNamed', { username: reader.username })}
              onClick={() => setChosen(reader)}
            >
              {t('manage')}
            </Button>
          )}
        />
      ) : null}
      <Pager page={address.page} pages={totalPages} />
      {chosen ? (
        <ReaderDialog
          // What was done shows at once.
          reader={items.find(({ username }) => username === chosen.username) ?? chosen}
          onClose={() => setChosen(undefined)}
        />
      ) : null}
    </>
  )
}

function Marks({ of: { isAdmin, isHidden, isPrivate, isVerified } }: { of: AdminReader }) {
  return (
    <>
      {isAdmin ? <Badge tone="success">{t('isAdmin')}</Badge> : null}
      {isHidden ? <Badge tone="danger">{t('isHidden')}</Badge> : null}
      {isPrivate ? <Badge>{t('isPrivate')}</Badge> : null}
      {isVerified ? null : <Badge>{t('isUnconfirmed')}</Badge>}
    </>
  )
}

/** @returns such as "1.2 MB" */
function formatSpace(bytes: number): string {
  const units = ['kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(2, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3) - 1))
  return formatNumber(bytes / 1000 ** (step + 1), {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: 'short',
    maximumFractionDigits: step > 0 ? 1 : 0,
  })
}
