import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '#web/ui/class-names.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { t } from '#web/i18n/statistics.ts'
import { formatNumber } from '#web/i18n/format.ts'

export interface FigureRow {
  key: string
  label: string
  value: number
  /** A second figure beside the number of books, such as pages. */
  more?: string | undefined
  /** Path of the list of these readings; absent if there are none. */
  to?: string | undefined
}

/** A figure's heading, what it says, and how it is counted. */
export function FigureSection(props: {
  title: string
  note?: string | undefined
  how: string
  className?: string | undefined
  children: ReactNode
}) {
  const { title, note, how, className, children } = props
  return (
    <section
      className={classNames(
        'min-w-0 break-inside-avoid border-t border-line pt-5 pb-10',
        className,
      )}
    >
      <h2 className="text-xl">{title}</h2>
      {note ? <p className="mt-1 text-sm text-ink-soft">{note}</p> : null}
      <div className="mt-3">{children}</div>
      <Disclosure summary={t('howCounted')} className="mt-1 border-b-0 text-sm">
        <p className="max-w-prose">{how}</p>
      </Disclosure>
    </section>
  )
}

/**
 * Bars that are the rows of a table; each leads to its books. The longest one is marked.
 *
 * @param props.of what a whole bar stands for; the longest one unless given
 */
export function FigureTable(props: { caption: string; rows: readonly FigureRow[]; of?: number }) {
  const { caption, rows, of } = props
  const longest = Math.max(...rows.map(({ value }) => value))
  const isAlone = rows.filter(({ value }) => value === longest).length === 1
  const isMarked = ({ value }: FigureRow) => rows.length > 1 && isAlone && value === longest
  const hasMore = rows.some(({ more }) => more)
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col">{t('books')}</th>
          {hasMore ? <th scope="col">{t('pages')}</th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} className="group/row relative">
            <th scope="row" className="w-[36%] text-start font-medium">
              <RowLabel row={row} />
            </th>
            <td className="ps-3">
              <span className="flex items-center gap-3">
                <Bar share={row.value / (of ?? longest)} isMarked={isMarked(row)} />
                <span
                  className={classNames(
                    'min-w-6 text-end font-serif text-base tabular-nums',
                    isMarked(row) && 'font-semibold text-rubric',
                  )}
                >
                  {formatNumber(row.value)}
                </span>
                {hasMore ? null : <RowEnd row={row} />}
              </span>
            </td>
            {hasMore ? (
              <td className="w-30 ps-3 text-xs text-ink-soft tabular-nums">
                <span className="flex items-center justify-end gap-1.5 text-end">
                  {row.more}
                  <RowEnd row={row} />
                </span>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The whole row is its link. */
function RowLabel({ row: { label, to } }: { row: FigureRow }) {
  const look = 'inline-flex min-h-11 items-center wrap-anywhere'
  if (!to)
    return (
      <span dir="auto" className={classNames(look, 'text-ink-soft')}>
        {label}
      </span>
    )
  return (
    <Link
      to={to}
      dir="auto"
      className={classNames(
        look,
        'rounded-cover underline decoration-line-strong underline-offset-[3px] group-hover/row:decoration-ink after:absolute after:inset-0',
      )}
    >
      {label}
    </Link>
  )
}

function RowEnd({ row: { to } }: { row: FigureRow }) {
  return (
    <ChevronRight
      aria-hidden
      className={classNames('size-4 shrink-0 text-ink-soft rtl:-scale-x-100', !to && 'invisible')}
    />
  )
}

/** Grows from where lines begin. */
function Bar({ share, isMarked }: { share: number; isMarked: boolean }) {
  return (
    <svg aria-hidden height="14" className="w-0 flex-1 rtl:-scale-x-100">
      <rect
        width={`${share * 100}%`}
        height="14"
        rx="2"
        className={isMarked ? 'fill-rubric' : 'fill-line-strong'}
      />
    </svg>
  )
}
