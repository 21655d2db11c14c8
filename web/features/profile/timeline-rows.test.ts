import { expect, test } from 'vitest'
import type { ActivityEvent } from '#shared/activity.ts'
import type { TimelineEntry } from '#web/api/timeline.ts'
import { rowLabel, timelineRows } from './timeline-rows.ts'

let last = 0
const entry = (day: number, book: string, event_type: ActivityEvent, progress = 0) =>
  ({
    id: `e${++last}`,
    book,
    event_type,
    created: `2026-01-0${day} 12:00:00.000Z`,
    data: { title: book, progress, shelf: 'Bedside', authors: [] },
  }) as unknown as TimelineEntry

const told = (entries: TimelineEntry[]) =>
  timelineRows(entries, false).map((row) => [rowLabel(row), ...row.others, row.beginsDay])

test('one row for each book and day', () => {
  const entries = [
    entry(3, 'Emma', 'progress_updated', 241),
    entry(3, 'Dracula', 'progress_updated', 12),
    entry(3, 'Emma', 'progress_updated', 170),
    entry(2, 'Emma', 'progress_updated', 80),
    entry(2, 'Emma', 'reading'),
  ]
  expect(told(entries)).toEqual([
    ['Reached page 241 of Emma', true],
    ['Read 12 page of Dracula', false],
    ['Read 80 page of Emma', 'Started Reading', true],
  ])
})

test('a finished book is told as finished, whatever came before', () => {
  const entries = [
    entry(3, 'Emma', 'completed'),
    entry(3, 'Emma', 'progress_updated', 300),
    entry(3, 'Emma', 'reading'),
    entry(3, 'Emma', 'planning'),
  ]
  expect(told(entries)).toEqual([
    ['Finished Reading', 'Added Emma to Bedside', 'Started Reading', true],
  ])
})

test('a row keeps its key while its book goes on', () => {
  const first = entry(3, 'Emma', 'reading')
  const [before] = timelineRows([first], false)
  const [after] = timelineRows([entry(3, 'Emma', 'progress_updated', 5), first], false)
  expect(after?.key).toBe(before?.key)
})
