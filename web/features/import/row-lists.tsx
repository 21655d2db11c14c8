import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportRecord, ImportRowState, ImportWarning } from '#shared/import.ts'
import { cutText } from '#shared/text.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { importRowsQuery, rowsPerPage, type RowChoice } from '#web/api/imports.ts'
import { Button } from '#web/ui/button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { t } from '#web/i18n/import.ts'
import { importMessage } from '#web/i18n/import-reasons.ts'
import { withCommas } from '#web/i18n/format.ts'

/** The rows behind the figures, fetched when a list is opened. */
export function RowLists(props: { data: ImportRecord; states: readonly ImportRowState[] }) {
  const { data, states } = props
  const some = states.filter((state) => data[state] > 0)
  if (!some.length) return null
  return (
    <div className="border-t border-line">
      {some.map((state) => (
        <RowList key={state} data={data} state={state} />
      ))}
    </div>
  )
}

function RowList({ data, state }: { data: ImportRecord; state: ImportRowState }) {
  // Our own export isn't looked up in the catalogue.
  const name = data.format === 'octavo' && state === 'matched' ? 'new' : state
  const [isOpen, setOpen] = useState(false)
  const count = data[state]
  return (
    <Disclosure summary={t(`rows.${name}`, { count })} onToggle={setOpen}>
      {isOpen ? <Rows id={data.id} choice={{ state }} count={count} /> : null}
    </Disclosure>
  )
}

/** A page of rows, each with why it is as it is and what of it was read differently. */
export function Rows({ id, choice, count }: { id: string; choice: RowChoice; count: number }) {
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...importRowsQuery(useApi(), id, choice, page),
    placeholderData: keepPreviousData,
  })
  if (!query.data) return query.isError ? <ErrorState {...dataError(query)} /> : null
  return (
    <>
      <ul className="grid gap-2 text-sm">
        {query.data.map(({ id: row, number, read, book, source, reason, message, warnings }) => (
          <li key={row} className="grid gap-0.5 wrap-anywhere">
            <span className="text-ink">
              <span className="tabular-nums">{number}.</span>{' '}
              <bdi>{read?.title || book?.title || read?.isbn || rawText(source)}</bdi>
              {read?.authors.length ? (
                <>
                  {' · '}
                  <bdi>{withCommas(read.authors)}</bdi>
                </>
              ) : null}
              {read?.quotes?.length
                ? ` · ${t('highlightCount', { count: read.quotes.length })}`
                : null}
            </span>
            {reason ? <span>{importMessage(reason, message)}</span> : null}
            {warnings?.map((one, at) => (
              <Warning key={at} warning={one} isNamed={'warning' in choice} />
            ))}
          </li>
        ))}
      </ul>
      {count > rowsPerPage ? (
        <div className="flex flex-wrap items-center gap-2 pt-3">
          <Button size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('previous')}
          </Button>
          <Button
            size="sm"
            disabled={page * rowsPerPage >= count}
            onClick={() => setPage(page + 1)}
          >
            {t('next')}
          </Button>
          <output className="text-sm tabular-nums">
            {t('rangeOf', {
              from: (page - 1) * rowsPerPage + 1,
              to: Math.min(page * rowsPerPage, count),
              count,
            })}
          </output>
        </div>
      ) : null}
    </>
  )
}

/** @param props.isNamed whether its sentence stands above all of the rows */
function Warning({ warning, isNamed }: { warning: ImportWarning; isNamed: boolean }) {
  const { column = '', value = '' } = warning.params ?? {}
  const sentence = importMessage(warning.reason, warning)
  const found = column ? t('columnValue', { column, value }) : value
  return (
    <span>
      {isNamed && found ? null : sentence} <bdi>{found}</bdi>
    </span>
  )
}

/** @returns the beginning of a row that says nothing we can read */
const rawText = (source: Record<string, unknown>) =>
  cutText(
    Object.values(source)
      .filter((one) => typeof one === 'string' && one)
      .join(', '),
    200,
  ) || t('emptyRow')
