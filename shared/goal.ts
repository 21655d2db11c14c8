import { daysAfter, daysUntil } from './partial-date.ts'
import type { GoalKind } from './reading.ts'

/** A reader's goal, and how far they are. `GET /api/v1/users/{username}/goals` answers a list. */
export interface Goal {
  id: string
  kind: GoalKind
  target: number
  /** The first and the last day, `YYYY-MM-DD`. */
  from: string
  to: string
  /** The year that these are the first and the last day of; 0 for other days. */
  year: number
  /** Which readings count, in the record API's filter language; '' for all. */
  filter: string
  isPrivate: boolean
  /** How many books, pages or minutes it is by now. */
  value: number
  /** How many it would be by now at an even pace; 0 before the first day. */
  plan: number
  /** Selects the counted readings. */
  counted: string
}

export interface GoalList {
  /** The reader's day. */
  today: string
  /** Those that end last come first. */
  goals: Goal[]
}

/** The length limit of a goal's filter, in characters. */
export const maxGoalFilter = 500

/** The most goals in one answer. */
export const maxGoals = 20

/** @returns the first and the last day of a year; empty if it isn't one */
export function daysOfYear(year: number): [from: string, to: string] {
  return Number.isInteger(year) && year >= 1000 && year <= 9999
    ? [`${year}-01-01`, `${year}-12-31`]
    : ['', '']
}

/** @returns the year that two days are the first and the last of; 0 if there is none */
export function yearOfDays(from: string, to: string): number {
  const year = Number(from.slice(0, 4))
  return daysOfYear(year).join() === [from, to].join() ? year : 0
}

/** @returns how much of a goal's target is due at the end of a day, at an even pace */
export function planOn(
  { from, to, target }: Pick<Goal, 'from' | 'to' | 'target'>,
  today: string,
): number {
  if (today < from) return 0
  if (today >= to) return target
  return Math.floor((target * (daysUntil(from, today) + 1)) / (daysUntil(from, to) + 1))
}

/** @returns the earliest date that is certainly not before a day: a first of January is a year */
const shortest = (day: string) => day.replace(/(?:-01)+$/, '')

/**
 * The dates from one day to another as comparisons with `finished`, which may be a year or a month:
 * these count if all of their days do.
 */
export function withinDays(
  from: string,
  to: string,
): readonly (readonly [operator: '>=' | '<' | '!=', date: string])[] {
  // The day after it has no four digits, and no date is later.
  if (to === '9999-12-31') return [['>=', shortest(from)]]
  const end = shortest(daysAfter(to, 1))
  const [year, month] = [to.slice(0, 4), to.slice(0, 7)]
  return [
    ['>=', shortest(from)],
    ['<', end],
    ...(end.length > 4 ? [['!=', year] as const] : []),
    ...(end.length > 7 ? [['!=', month] as const] : []),
  ]
}

/** How each of what a goal can be narrowed by begins in the filter language; a value follows. */
const narrowings = {
  genre: 'genres:folded ~ ',
  author: 'authors:folded ~ ',
  format: 'format = ',
  pages: 'pages >= ',
} as const

export type GoalNarrowing = keyof typeof narrowings
export const goalNarrowings = Object.keys(narrowings) as GoalNarrowing[]

/** Which books count: those of a genre, an author or a format, or with at least so many pages. */
export interface NarrowGoal {
  by: GoalNarrowing
  value: string
}

/** @returns the filter of readings; '' for all of them if the value is empty */
export function filterOfGoal({ by, value }: NarrowGoal): string {
  const text = value.trim()
  if (!text) return ''
  return narrowings[by] + (by === 'pages' ? text : JSON.stringify(text))
}

/** @returns what {@link filterOfGoal} made a filter of; undefined for any other filter */
export function narrowGoalOf(filter: string): NarrowGoal | undefined {
  const by = goalNarrowings.find((one) => filter.startsWith(narrowings[one]))
  if (!by) return undefined
  const literal = filter.slice(narrowings[by].length)
  try {
    const value: unknown = JSON.parse(literal)
    return ['string', 'number'].includes(typeof value) ? { by, value: String(value) } : undefined
  } catch {
    return undefined
  }
}
