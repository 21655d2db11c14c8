import { LibraryBig, Tag, X } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { isShelfName } from '#shared/bookshelf.ts'
import {
  importLabelKey,
  type ImportLabel,
  type ImportLabelTarget,
  type ImportOptions,
} from '#shared/import.ts'
import { statuses, type Status } from '#shared/user-book.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { formatNumber, withCommas } from '#web/i18n/format.ts'
import { t } from '#web/i18n/import.ts'

interface LabelProps {
  options: ImportOptions
  onChange: (values: ImportOptions) => void
}

/** The file's own statuses, shelves, collections and tags, each with what it becomes. */
export function LabelTables(props: LabelProps & { labels: readonly ImportLabel[] }) {
  const { labels, ...choices } = props
  const of = (kind: ImportLabel['kind']) => labels.filter((label) => label.kind === kind)
  return (
    <>
      <LabelTable title={t('statusInFile')} labels={of('status')} {...choices} />
      <LabelTable title={t('shelvesInFile')} labels={of('tag')} {...choices} />
    </>
  )
}

/** Rows to show at first, as some files have hundreds of tags. */
const shownAtFirst = 30

function LabelTable(props: LabelProps & { title: string; labels: readonly ImportLabel[] }) {
  const { title, labels, ...choices } = props
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  if (!labels.length) return null
  const shown = isWhole ? labels : labels.slice(0, shownAtFirst)
  return (
    <section>
      <h2 id={id} className="mb-3 text-xl">
        {title}
      </h2>
      <table aria-labelledby={id} className="w-full table-fixed border-b border-line">
        {/* A head that is only heard gives no widths. */}
        <colgroup>
          <col />
          <col className="w-20 max-md:hidden" />
          <col className="w-50 md:w-72 lg:w-85" />
        </colgroup>
        <thead className="text-xs text-ink-soft max-md:sr-only">
          <tr>
            <th scope="col" className="font-normal">
              <span className="sr-only">{t('inYourFile')}</span>
            </th>
            <th scope="col" className="pb-2 text-end font-normal max-md:hidden">
              {t('rows')}
            </th>
            <th scope="col" className="ps-6 pb-2 text-start font-normal">
              {t('becomes')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((label) => (
            <LabelRow key={importLabelKey(label)} label={label} {...choices} />
          ))}
        </tbody>
      </table>
      {shown.length < labels.length ? (
        <Button variant="quiet" onClick={() => setWhole(true)}>
          {t('showAllLabels', { count: labels.length })}
        </Button>
      ) : null}
    </section>
  )
}

function LabelRow({ label, options, onChange }: LabelProps & { label: ImportLabel }) {
  const isNamed = label.name !== ''
  const name = isNamed ? label.name : t('noStatus')
  const key = importLabelKey(label)
  const target = isNamed
    ? (options.becomes?.[key] ?? (label.status || 'tag'))
    : (options.no_status ?? 'planning')
  const change = (chosen: ImportLabelTarget) =>
    onChange(
      isNamed
        ? { becomes: { ...options.becomes, [key]: chosen } }
        : { no_status: chosen as Status },
    )
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-2 text-start font-normal">
        <bdi className="font-medium wrap-anywhere">{name}</bdi>
        <span className="block text-sm text-ink-soft md:hidden">
          {t('rowCount', { count: label.rows })}
        </span>
        <span className="block truncate text-sm text-ink-soft max-md:hidden">
          {isNamed ? <bdi>{withCommas(label.titles)}</bdi> : t('nothingAssumed')}
        </span>
      </th>
      <td className="text-end tabular-nums max-md:hidden">{formatNumber(label.rows)}</td>
      <td className="py-2 ps-3 md:ps-6">
        <Select
          icon={targetIcon(target)}
          aria-label={t('becomesOf', { name })}
          // Browsers restore the choice of an earlier visit, which may differ from what is shown.
          autoComplete="off"
          value={target}
          onChange={(event) => change(event.currentTarget.value as ImportLabelTarget)}
        >
          {targetsOf(label).map((one) => (
            <option key={one} value={one}>
              {targetLabel(one, label)}
            </option>
          ))}
        </Select>
      </td>
    </tr>
  )
}

/** @returns what a label can become: the books without a status can't be tagged with that */
function targetsOf({ name }: ImportLabel): ImportLabelTarget[] {
  if (!name) return [...statuses]
  return [...statuses, 'tag', ...(isShelfName(name) ? ['shelf' as const] : []), 'out']
}

function targetLabel(target: ImportLabelTarget, { kind }: ImportLabel): string {
  if (target === 'out') return t(kind === 'status' ? 'noStatus' : 'becomes.out')
  return target === 'tag' || target === 'shelf' ? t(`becomes.${target}`) : statusLabel(target)
}

function targetIcon(target: ImportLabelTarget): ReactNode {
  if (target === 'tag') return <Tag aria-hidden />
  if (target === 'shelf') return <LibraryBig aria-hidden />
  if (target === 'out') return <X aria-hidden />
  return <StatusIcon status={target} />
}
