import { expect, test } from 'vitest'
import {
  dateOfParts,
  datePartsOf,
  dayEnds,
  dayIn,
  isAfter,
  isPartialDate,
  isTimeZone,
  partialDateText,
} from './partial-date.ts'

test.each(['', '2009', '2009-02', '2009-02-28', '2024-02-29'])('%j is a date', (text) => {
  expect(isPartialDate(text)).toBe(true)
})

test.each(['2023-02-29', '2009-13', '2009-00', '2009-1-1', '09', '0999', '2009-01-01T00:00', 'x'])(
  '%j is no date',
  (text) => expect(isPartialDate(text)).toBe(false),
)

test.each([
  ['2010', '2009', true],
  ['2009', '2009-05', false],
  ['2009-05', '2009', false],
  ['2009-06', '2009-05-31', true],
  ['2009-05-02', '2009-05-02', false],
  ['', '2009', false],
])('%j after %j: %j', (first, second, is) => expect(isAfter(first, second)).toBe(is))

test('a day is that of the reader’s zone, also when clocks change and on a journey', () => {
  const late = new Date('2026-03-29T00:30:00Z')
  expect(dayIn('America/New_York', late)).toBe('2026-03-28')
  expect(dayIn('Europe/Berlin', late)).toBe('2026-03-29')
  // Two in the morning becomes three; the evening is still that day's.
  expect(dayIn('Europe/Berlin', new Date('2026-03-29T21:59:59Z'))).toBe('2026-03-29')
  expect(dayIn('Europe/Berlin', new Date('2026-03-29T22:00:00Z'))).toBe('2026-03-30')
  expect(dayIn('Europe/Berlin', new Date('2026-10-25T22:59:59Z'))).toBe('2026-10-25')
  expect(dayIn('Pacific/Kiritimati', late)).toBe('2026-03-29')
  expect(dayIn('Pacific/Pago_Pago', late)).toBe('2026-03-28')
  expect(dayIn('', late)).toBe('2026-03-29')
  expect(dayIn('Nowhere/At_All', late)).toBe('2026-03-29')
  // Clocks in Berlin go from 02:00 to 03:00 on this night.
  expect(dayIn('Europe/Berlin', new Date('2026-03-29T00:59:59Z'), 3)).toBe('2026-03-28')
  expect(dayIn('Europe/Berlin', new Date('2026-03-29T01:00:00Z'), 3)).toBe('2026-03-29')
  expect(dayIn('UTC', new Date('2026-01-01T03:59:59Z'), 4)).toBe('2025-12-31')
})

test('time zones have names', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].every(isTimeZone)).toBe(true)
  expect(['', 'Nowhere', '../etc', 'Europe/Berlin\n'].some(isTimeZone)).toBe(false)
})

test.each([
  ['', ''],
  ['2009', '2009'],
  ['2009-05', 'May 2009'],
  ['2009-05-03', 'May 3, 2009'],
])('%j reads "%s", and its parts make it again', (date, text) => {
  expect(partialDateText(date, 'en')).toBe(text)
  expect(dateOfParts(datePartsOf(date))).toBe(date)
})

test.each([
  [{ year: '2009', month: '', day: '3' }],
  [{ year: '', month: '05', day: '' }],
  [{ year: '2009', month: '02', day: '30' }],
])('%j make no date', (parts) => expect(isPartialDate(dateOfParts(parts))).toBe(false))

test('a day ends at its hour of the clock in every time zone, also where clocks change', () => {
  const nights = [
    '2024-02-29',
    '2024-03-01',
    '2025-01-01',
    '2025-03-30',
    '2025-04-06',
    '2025-04-25',
  ]
  const clockChanges = ['2025-03-09', '2025-09-07', '2025-10-26', '2025-10-31', '2025-11-02']
  const hour = 3_600_000
  const wrong: string[] = []
  let count = 0
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    const offsetAt = (moment: number) => {
      const parts = format.formatToParts(moment)
      const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const [, sign = '+', hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
      return (sign === '-' ? -hour : hour) * (Number(hours) + Number(minutes) / 60)
    }
    for (const night of [...nights, ...clockChanges]) {
      const midnight = Date.parse(night) - offsetAt(Date.parse(night))
      // Midnight, and each other hour in turn.
      for (const end of [0, Number(dayEnds[count++ % dayEnds.length])])
        for (const after of [-1, 0, hour]) {
          const moment = midnight + end * hour + after
          const local = moment + offsetAt(moment)
          const isLate = new Date(local).getUTCHours() < end
          const day = new Date(local - (isLate ? 24 * hour : 0)).toISOString().slice(0, 10)
          if (dayIn(timeZone, new Date(moment), end) !== day)
            wrong.push(`${timeZone} ${end} ${new Date(moment).toISOString()}`)
        }
    }
  }
  expect(wrong).toEqual([])
})
