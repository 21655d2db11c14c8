import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { t } from '#web/i18n/admin.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

export interface Column<Row> {
  /** A heading, and on a phone the label of its cell. */
  label: string
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  /** Longer than a line: on a phone it is below its label. */
  isLong?: boolean
}

/** Written out, as browsers take them from cells that aren't laid out as a table. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

/** A table; on a phone each row is a block with a line for each cell. */
export function DataTable<Row>(props: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Buttons at the end of a row. */
  actions?: (row: Row) => ReactNode
}) {
  const { label, columns, rows, keyOf, actions } = props
  return (
    <table {...roles.table} aria-label={label} className="w-full text-sm max-md:block">
      <thead {...roles.rowgroup} className="max-md:sr-only">
        <tr {...roles.row} className="border-b border-line text-ink-soft">
          {columns.map((column) => (
            <th
              key={column.label}
              {...roles.columnheader}
              scope="col"
              className={classNames(
                'px-2 py-2 font-medium',
                column.isNumber ? 'text-end' : 'text-start',
              )}
            >
              {column.label}
            </th>
          ))}
          {actions ? (
            <th {...roles.columnheader} scope="col">
              <span className="sr-only">{t('actions')}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody {...roles.rowgroup} className="max-md:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            {...roles.row}
            className="border-b border-line max-md:block max-md:py-3 max-md:first:border-t"
          >
            {columns.map((column, place) => {
              const Cell = place === 0 ? 'th' : 'td'
              return (
                <Cell
                  key={column.label}
                  {...(place === 0 ? { role: 'rowheader', scope: 'row' } : { role: 'cell' })}
                  className={classNames(
                    'align-top wrap-anywhere max-md:py-0.5 md:px-2 md:py-3',
                    !column.isLong && 'max-md:flex max-md:justify-between max-md:gap-4',
                    place === 0 && 'text-start font-medium max-md:pb-1',
                    place > 0 && !column.isLong && 'max-md:text-end',
                    column.isNumber && 'tabular-nums md:text-end',
                  )}
                >
                  {place === 0 ? null : (
                    <span aria-hidden className="shrink-0 text-ink-soft md:hidden">
                      {column.label}
                    </span>
                  )}
                  <div className="min-w-0">{column.cell(row)}</div>
                </Cell>
              )
            })}
            {actions ? (
              <td
                {...roles.cell}
                className="align-top max-md:flex max-md:flex-wrap max-md:gap-2 max-md:pt-2 md:px-2 md:py-1.5 md:text-end"
              >
                {actions(row)}
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Leads to the page before and after; nothing if there is one page. */
export function Pager({ page, pages }: { page: number; pages: number }) {
  const [search] = useSearchParams()
  if (pages <= 1) return null
  const to = (number: number) => {
    const next = new URLSearchParams(search)
    next.set('page', String(number))
    return `?${next}`
  }
  const link = (number: number, label: string) =>
    number < 1 || number > pages ? (
      <Button disabled>{label}</Button>
    ) : (
      <Button asChild>
        <Link to={to(number)}>{label}</Link>
      </Button>
    )
  return (
    <nav aria-label={t('pages')} className="mt-6 flex flex-wrap items-center gap-3">
      {link(page - 1, t('previous'))}
      <span className="text-sm text-ink-soft tabular-nums">{t('pageOf', { page, pages })}</span>
      {link(page + 1, t('next'))}
    </nav>
  )
}
