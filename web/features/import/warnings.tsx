import { useState } from 'react'
import type { ImportReason, ImportRecord } from '#shared/import.ts'
import { formatList, formatNumber } from '#web/i18n/format.ts'
import { t } from '#web/i18n/import.ts'
import { warningSentence } from '#web/i18n/import-reasons.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Rows } from './row-lists.tsx'

/** Warnings about cells that couldn't be read as they were, each kind with its number of rows. */
export function Warnings({ data }: { data: ImportRecord }) {
  const kinds = Object.entries(data.warnings ?? {}) as [ImportReason['key'], number][]
  const unused = data.unused ?? []
  if (!kinds.length && !unused.length) return null
  return (
    <Panel title={t('readDifferently')}>
      {kinds.length ? (
        <div className="border-t border-line">
          {kinds.map(([kind, count]) => (
            <Kind key={kind} id={data.id} kind={kind} count={count} />
          ))}
        </div>
      ) : null}
      {unused.length ? (
        <p className={`text-sm text-ink-soft wrap-anywhere ${kinds.length ? 'pt-4' : ''}`}>
          {t('unusedColumns', { columns: formatList(unused) })}
        </p>
      ) : null}
    </Panel>
  )
}

function Kind({ id, kind, count }: { id: string; kind: ImportReason['key']; count: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Disclosure
      summary={
        <span className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-baseline">
          <span aria-hidden className="font-serif text-xl font-normal tabular-nums">
            {formatNumber(count)}
          </span>
          <span className="font-normal">
            {warningSentence(kind)} <span className="sr-only">{t('rowCount', { count })}</span>
          </span>
        </span>
      }
      onToggle={setOpen}
    >
      {isOpen ? <Rows id={id} choice={{ warning: kind }} count={count} /> : null}
    </Disclosure>
  )
}
