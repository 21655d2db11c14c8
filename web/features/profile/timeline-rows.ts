import { format, subDays } from 'date-fns'
import type { Activity } from '#shared/activity.ts'
import type { TimelineEntry } from '#web/api/timeline.ts'
import { parseTimestamp } from '#web/ui/timestamp.tsx'
import { t } from '#web/i18n/profile.ts'

/** The events of one book on one day. */
export interface TimelineRow {
  /** The key of its first entry, which stays when others are added. */
  key: string
  newest: TimelineEntry
  /** All of it, newest first. */
  entries: TimelineEntry[]
  /** The other events, in the specification's words. */
  others: string[]
  /** Whether it is the day's first row, which shows the date. */
  beginsDay: boolean
}

/**
 * @param isLocal whether days are the viewer's; the server knows Greenwich's only
 * @param dayEnd the hour at which such a day ends
 * @returns one row for each book and day, newest first
 */
export function timelineRows(
  entries: readonly TimelineEntry[],
  isLocal: boolean,
  dayEnd = 0,
): TimelineRow[] {
  const rows = new Map<string, TimelineRow>()
  let lastDay = ''
  for (const entry of entries) {
    const day = isLocal ? localDay(entry, dayEnd) : entry.created.slice(0, 10)
    const place = `${day} ${entry.book || entry.id}`
    const row = rows.get(place)
    if (row) {
      row.entries.push(entry)
      row.key = entry.id
    } else {
      const beginsDay = day !== lastDay
      rows.set(place, { key: entry.id, newest: entry, entries: [entry], others: [], beginsDay })
    }
    lastDay = day
  }
  for (const row of rows.values()) row.others = othersOf(row)
  return [...rows.values()]
}

const isStep = ({ event_type }: Activity) => event_type === 'progress_updated'

function othersOf({ newest, entries }: TimelineRow): string[] {
  const labels = entries.toReversed().flatMap((entry) => (isStep(entry) ? [] : entryLabel(entry)))
  return [...new Set(labels)].filter((label) => label !== entryLabel(newest))
}

/** @returns the row's sentence: the specification's, unless it stands for several steps */
export function rowLabel({ newest, entries }: Pick<TimelineRow, 'newest' | 'entries'>): string {
  const { data } = newest
  if (!isStep(newest) || entries.filter(isStep).length === 1) return entryLabel(newest)
  return data.percent
    ? t('event.reachedPercent', { percent: data.percent, title: data.title })
    : t('event.reachedPage', { page: data.progress, title: data.title })
}

/** @returns the label of an event; if it names no book, the title is shown next to it */
function entryLabel({ event_type, data }: Pick<Activity, 'event_type' | 'data'>): string {
  const { title, shelf, percent, progress } = data
  if (event_type !== 'progress_updated') return t(`event.${event_type}`, { title, shelf })
  return percent
    ? t('event.percent', { percent, title })
    : t('event.page', { page: progress, title })
}

function localDay({ created }: Activity, dayEnd: number): string {
  const at = parseTimestamp(created)
  return format(at.getHours() < dayEnd ? subDays(at, 1) : at, 'yyyy-MM-dd')
}
