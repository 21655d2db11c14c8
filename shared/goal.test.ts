import { expect, test } from 'vitest'
import { daysOfYear, filterOfGoal, narrowGoalOf, planOn, withinDays, yearOfDays } from './goal.ts'

test('a year is its first and its last day, and these are the year', () => {
  expect(daysOfYear(2026)).toEqual(['2026-01-01', '2026-12-31'])
  expect(daysOfYear(0)).toEqual(['', ''])
  expect(yearOfDays('2026-01-01', '2026-12-31')).toBe(2026)
  expect(yearOfDays('2026-01-01', '2027-12-31')).toBe(0)
  expect(yearOfDays('', '')).toBe(0)
})

/** All partial dates of two years around the goal. */
const dates = [2025, 2026, 2027].flatMap((year) => [
  String(year),
  ...Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`),
  ...Array.from({ length: 365 }, (_, day) =>
    new Date(Date.UTC(year, 0, day + 1)).toISOString().slice(0, 10),
  ),
])
const firstDay = (date: string) => `${date}-01-01`.slice(0, 10)
function lastDay(date: string): string {
  if (date.length === 4) return `${date}-12-31`
  if (date.length === 10) return date
  const [year = 0, month = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

test.each([
  ['2026-01-01', '2026-12-31'],
  ['2026-01-01', '2026-06-30'],
  ['2026-01-01', '2026-06-15'],
  ['2026-02-01', '2026-02-28'],
  ['2026-02-01', '2026-02-27'],
  ['2026-02-02', '2026-12-31'],
  ['2025-12-15', '2027-01-01'],
  ['2025-01-01', '2027-12-31'],
  ['2026-05-05', '2026-05-05'],
  ['2026-01-01', '2026-01-01'],
  ['2026-01-01', '2026-01-31'],
  ['2026-05-05', '9999-12-31'],
])('from %s to %s are all dates that lie in between as a whole', (from, to) => {
  const isWithin = (date: string) =>
    withinDays(from, to).every(([operator, other]) => {
      if (operator === '!=') return date !== other
      return operator === '<' ? date < other : date >= other
    })
  expect(dates.filter(isWithin)).toEqual(
    dates.filter((date) => firstDay(date) >= from && lastDay(date) <= to),
  )
})

test('an even pace reaches the target on the last day', () => {
  const goal = { from: '2026-01-01', to: '2026-12-31', target: 42 }
  expect(planOn(goal, '2025-12-31')).toBe(0)
  expect(planOn(goal, '2026-11-28')).toBe(38)
  expect(planOn(goal, '2026-12-30')).toBe(41)
  expect(planOn(goal, '2026-12-31')).toBe(42)
  expect(planOn(goal, '2027-05-01')).toBe(42)
  expect(planOn({ ...goal, to: '2026-01-01' }, '2026-01-01')).toBe(42)
})

test('what narrows a goal is known from its filter, and no other filter does', () => {
  for (const value of ['Fantasy', 'Sci-"Fi"', 'a\\'])
    expect(narrowGoalOf(filterOfGoal({ by: 'genre', value: ` ${value} ` }))).toEqual({
      by: 'genre',
      value,
    })
  for (const narrow of [
    { by: 'author', value: 'Le Guin' },
    { by: 'format', value: 'audio' },
    { by: 'pages', value: '500' },
  ] as const)
    expect(narrowGoalOf(filterOfGoal(narrow))).toEqual(narrow)
  expect(filterOfGoal({ by: 'author', value: ' ' })).toBe('')
  expect(narrowGoalOf('')).toBeUndefined()
  expect(narrowGoalOf('pages > 300')).toBeUndefined()
  expect(narrowGoalOf('pages >= 300 && format = "print"')).toBeUndefined()
  expect(narrowGoalOf('genres:folded ~ "a" || genres:folded ~ "b"')).toBeUndefined()
})
