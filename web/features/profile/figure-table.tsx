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
  /** Beside the number of books, such as their pages. */
  more?: string | undefined
  /** The list of exactly these readings. */
  to: string
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
    <section className={classNames('min-w-0 border-t border-line pt-5', className)}>
      <h2 className="text-xl">{title}</h2>
      {note ? <p className="mt-1 text-sm text-ink-soft">{note}</p> : null}
      <div className="mt-3">{children}</div>
      <Disclosure summary={t('howCounted')} className="mt-1 border-b-0 text-sm">
        <p className="max-w-prose">{how}</p>
      </Disclosure>
    </section>
  )
}

/** Bars that are the rows of a table; each leads to its books. The longest one is marked. */
export function FigureTable({ caption, rows }: { caption: string; rows: readonly FigureRow[] }) {
  const most = Math.max(1, ...rows.map(({ value }) => value))
  const hasMore = rows.some(({ more }) => more)
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col">{t('books')}</th>
          {hasMore ? <th scope="col">{t('pages')}</th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, value, more, to }) => (
          <tr key={key} className="group/row relative">
            <th scope="row" className="w-[38%] text-start font-medium">
              <Link
                to={to}
                dir="auto"
                className="inline-flex min-h-11 items-center rounded-cover underline decoration-line-strong underline-offset-[3px] wrap-anywhere group-hover/row:decoration-ink after:absolute after:inset-0"
              >
                {label}
              </Link>
            </th>
            <td className="ps-3">
              <span className="flex items-center gap-3">
                <Bar share={value / most} />
                <span
                  className={classNames(
                    'min-w-6 text-end font-serif text-base tabular-nums',
                    value === most && 'font-semibold text-rubric',
                  )}
                >
                  {formatNumber(value)}
                </span>
                {hasMore ? null : <RowEnd />}
              </span>
            </td>
            {hasMore ? (
              <td className="w-24 ps-3 text-end text-xs whitespace-nowrap text-ink-soft tabular-nums">
                <span className="flex items-center justify-end gap-1.5">
                  {more}
                  <RowEnd />
                </span>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RowEnd() {
  return <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-soft rtl:-scale-x-100" />
}

/** Grows from where lines begin. */
function Bar({ share }: { share: number }) {
  return (
    <svg aria-hidden height="14" className="min-w-0 flex-1 rtl:-scale-x-100">
      <rect
        width={`${share * 100}%`}
        height="14"
        rx="2"
        className={share === 1 ? 'fill-rubric' : 'fill-ink-faint'}
      />
    </svg>
  )
}
