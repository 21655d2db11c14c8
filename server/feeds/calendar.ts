import { ICalCalendar } from 'ical-generator'
import type { DiaryEntry } from '#shared/diary.ts'
import type { Goal } from '#shared/goal.ts'
import { bookPath, type FeedOwner } from './atom.ts'
import type { Translate } from './sentences.ts'

/**
 * The days on which a reader finished books and their goals end, as a calendar. Days that aren't known
 * whole are left out.
 *
 * @param appUrl the site's address, without a trailing slash
 * @returns the text of an iCalendar file. Source: RFC 5545
 */
export function readingCalendar(
  owner: FeedOwner,
  { entries, goals }: { entries: readonly DiaryEntry[]; goals: readonly Goal[] },
  appUrl: string,
  t: Translate,
): string {
  const host = new URL(appUrl).hostname
  const calendar = new ICalCalendar({
    name: t('calendar', { name: owner.name }),
    prodId: { company: 'Octavo', product: 'Octavo' },
  })
  const add = (id: string, day: string, summary: string, url: string) =>
    calendar.createEvent({
      id: `${id}@${host}`,
      start: day,
      // The file is the same as long as what it shows is.
      stamp: day,
      allDay: true,
      summary,
      url: appUrl + url,
    })
  for (const { id, finished, outcome, book } of entries)
    if (outcome === 'finished' && /^\d{4}-\d\d-\d\d$/.test(finished))
      add(`reading-${id}`, finished, t('finished', { title: book.title }), bookPath(owner, book.id))
  for (const { id, to, kind, target } of goals)
    add(`goal-${id}`, to, t(`goal.${kind}`, { count: target }), `/u/${owner.username}`)
  return calendar.toString()
}
