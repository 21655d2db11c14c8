import { useEffect, useRef } from 'react'
import { NavTab, NavTabs } from '#web/ui/nav-tabs.tsx'
import { t } from '#web/i18n/shell.ts'
import { DestinationLink } from './destination-link.tsx'
import { Drawer } from './drawer.tsx'
import { useDestinations } from './viewer.ts'

/** On a phone the reader's library has its tabs for a header. */
export function LibraryTabs() {
  const bar = useRef<HTMLElement>(null)
  const entries = useDestinations('tabs')
  const current = entries.find((entry) => entry.current)?.href
  useEffect(() => {
    // Long words push the tabs out of sight; only the row is moved, not the page.
    const row = bar.current
    const tab = current !== undefined && row?.querySelector('[aria-current]')
    if (row && tab) row.scrollLeft += middleOf(tab) - middleOf(row)
  }, [current])
  return (
    <>
      <Drawer className="ms-0! size-11!" />
      <NavTabs ref={bar} label={t('library')} className="min-w-0 flex-1 gap-0 border-b-0">
        {entries.map((entry) => (
          <NavTab key={entry.label} current={entry.current} className="px-2! after:inset-x-2!">
            <DestinationLink to={entry}>{entry.label}</DestinationLink>
          </NavTab>
        ))}
      </NavTabs>
    </>
  )
}

function middleOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect()
  return (left + right) / 2
}
