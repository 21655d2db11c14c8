import type { PageTime } from '#server/collections/connections.ts'
import { dayOn, type ReadersClock } from '#server/library/today.ts'
import { isTimeZone } from '#shared/partial-date.ts'

/** The most rows of one day. A page counts if it is open for five seconds. */
const timesOfDay = 20_000

/**
 * Leaves one row for each page and start, the longest, in the order in which they were read. The
 * result is the same in whichever order and however often rows come.
 */
export function cleanTimes(times: Iterable<PageTime>): PageTime[] {
  const longest = new Map<string, PageTime>()
  for (const time of times) {
    const key = `${time[0]} ${time[1]}`
    const known = longest.get(key)
    if (!known || isLonger(time, known)) longest.set(key, time)
  }
  return [...longest.values()].toSorted(inOrder).slice(0, timesOfDay)
}

const inOrder = (a: PageTime, b: PageTime) => a[1] - b[1] || a[0] - b[0]

const isLonger = (a: PageTime, b: PageTime) => a[2] > b[2] || (a[2] === b[2] && a[3] > b[3])

/** @returns the known rows with what is new or has grown; null if nothing has */
export function withTimes(
  known: readonly PageTime[],
  added: readonly PageTime[],
): PageTime[] | null {
  const all = cleanTimes([...known, ...added])
  return JSON.stringify(all) === JSON.stringify(known) ? null : all
}

/** A document's rows of one day in UTC, and the clock by which they are counted. */
export interface TimesOfDay extends ReadersClock {
  times: readonly PageTime[]
}

/** A time for which a reader has listened to a document, and the clock by which it is counted. */
export interface Listened extends ReadersClock {
  /** Seconds since 1970. */
  start: number
  seconds: number
  /** Where they began and ended, and the whole, in seconds. */
  from: number
  to: number
  length: number
}

/** @returns sessions by the reader's day on which each began, the earliest first */
export function listenedByDay(all: readonly Listened[]): Map<string, Listened[]> {
  const sorted = all.toSorted((a, b) => a.start - b.start || a.seconds - b.seconds)
  return Map.groupBy(sorted, (one) => dayOn(one, new Date(one.start * 1000)))
}

/** The most minutes that a position in the progress log can have. */
const mostMinutes = 100_000

/**
 * @param logged what was read on paper or screen on the same day, whose pages are its position
 * @param heard the sessions of one day, at least one
 * @returns the day with them; without pages, its position is in minutes of the recording
 */
export function withListening(logged: LoggedDay | null, heard: readonly Listened[]): LoggedDay {
  const hours = Array.from(logged?.hours ?? Array.from({ length: hoursOfDay }, () => 0))
  for (const one of heard) addToHours(hours, one)
  const seconds = heard.reduce((sum, one) => sum + one.seconds, 0)
  const minutes = hundredths((logged?.minutes ?? 0) + seconds / 60)
  const last = heard.reduce((most, one) => Math.max(most, one.start + one.seconds), 0)
  const to = heard.reduce((most, one) => Math.max(most, one.to), 0)
  const listened = heard.reduce((sum, one) => sum + Math.max(0, one.to - one.from), 0)
  const inMinutes = (position: number) => Math.min(mostMinutes, hundredths(position / 60))
  return {
    ...(logged ?? {
      unit: 'minutes',
      from: inMinutes(Math.max(0, to - listened)),
      to: inMinutes(to),
    }),
    minutes: Math.min(minutesOfDay, minutes),
    hours: hours.map(hundredths),
    at: new Date(Math.max(logged?.at.getTime() ?? 0, last * 1000)),
  }
}

const hundredths = (value: number) => Math.round(value * 100) / 100

/** Adds a session's minutes to the hours in which it was heard, all of them on the day of its start. */
function addToHours(hours: number[], { start, seconds, zone, dayEnd = 0 }: Listened): void {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: isTimeZone(zone) ? zone : 'UTC',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const parts = clock.formatToParts(new Date(start * 1000))
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  let hour = part('hour')
  let left = seconds
  const last = (dayEnd + hoursOfDay - 1) % hoursOfDay
  for (let room = 3600 - part('minute') * 60 - part('second'); left > 0; room = 3600) {
    const here = hour === last ? left : Math.min(left, room)
    hours[hour]! += here / 60
    left -= here
    hour = (hour + 1) % hoursOfDay
  }
}

/** Seconds; every reader's days begin on a multiple of them. */
const quarter = 900

const hoursOfDay = 24

/** @returns the minutes of each of the reader's days by the hour in which a page was opened */
export function minutesByHour(all: readonly TimesOfDay[]): Map<string, number[]> {
  const seconds = new Map<string, number[]>()
  for (const { times, ...clock } of all) {
    const hourOf = new Intl.DateTimeFormat('en-US', {
      timeZone: isTimeZone(clock.zone) ? clock.zone : 'UTC',
      hour: '2-digit',
      hourCycle: 'h23',
    })
    for (const time of times) {
      const opened = new Date(time[1] * 1000)
      const day = seconds.getOrInsertComputed(dayOn(clock, opened), () =>
        Array.from({ length: hoursOfDay }, () => 0),
      )
      day[Number(hourOf.format(opened))]! += time[2]
    }
  }
  const inMinutes = (sums: readonly number[]) => sums.map((sum) => Math.round(sum / 0.6) / 100)
  return new Map(Array.from(seconds, ([day, sums]) => [day, inMinutes(sums)]))
}

/** @returns rows by the reader's days, in the order in which they were read */
export function byReadersDay(all: readonly TimesOfDay[]): Map<string, PageTime[]> {
  const days = new Map<string, PageTime[]>()
  for (const { times, ...clock } of all) {
    const known = new Map<number, string>()
    for (const time of times) {
      const at = Math.floor(time[1] / quarter)
      const day = known.getOrInsertComputed(at, () => dayOn(clock, new Date(at * quarter * 1000)))
      days.getOrInsertComputed(day, () => []).push(time)
    }
  }
  for (const times of days.values()) times.sort(inOrder)
  return days
}

/** What a day's page times are in the progress log. */
export interface LoggedDay {
  unit: 'pages' | 'percent' | 'minutes'
  /** As far before `to` as pages were read: a look at the end of a book isn't its reading. */
  from: number
  /** The furthest page. */
  to: number
  minutes: number
  /** The same by hour. */
  hours: number[]
  /** When the last page was closed. */
  at: Date
}

/** Minutes of a day. Two devices can't be read at once. */
const minutesOfDay = 1440

/**
 * @param times of one day, in the order in which they were read; at least one
 * @param hours the day's minutes by hour
 * @param pageCount of the reader's book; without it, the position is in percent
 */
export function toLoggedDay(
  times: readonly PageTime[],
  hours: number[],
  pageCount: number,
): LoggedDay {
  const seconds = times.reduce((sum, [, , each]) => sum + each, 0)
  const shares = times.map(([page, , , pages]) => (pages > 0 ? Math.min(1, page / pages) : 0))
  const different = new Map(times.map(([page, , , pages]) => [`${page} ${pages}`, pages]))
  const read = [...different.values()].reduce((sum, pages) => sum + (pages > 0 ? 1 / pages : 0), 0)
  const [scale, digits] = pageCount > 0 ? [pageCount, 1] : [100, 100]
  const inUnit = (share: number) => Math.round(share * scale * digits)
  const to = inUnit(shares.reduce((most, share) => Math.max(most, share), 0))
  const [, start, open] = times.at(-1)!
  return {
    unit: pageCount > 0 ? 'pages' : 'percent',
    from: Math.max(0, to - inUnit(read)) / digits,
    to: to / digits,
    minutes: Math.min(minutesOfDay, Math.round(seconds / 0.6) / 100),
    hours,
    at: new Date((start + open) * 1000),
  }
}
