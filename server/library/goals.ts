import { sql } from 'kysely'
import {
  ApiError,
  checkFilter,
  flag,
  named,
  number,
  text,
  type Database,
  type Records,
  type Viewer,
} from '#records/index.ts'
import type { LibraryHooks, Stored } from '#server/collections/stored.ts'
import { query } from '#server/storage/query.ts'
import {
  daysOfYear,
  maxGoals,
  planOn,
  withinDays,
  yearOfDays,
  type Goal,
  type GoalList,
} from '#shared/goal.ts'
import { goalKinds } from '#shared/reading.ts'
import { goalForm, goalYearForm } from '#shared/reading-form.ts'
import { schema } from '#server/collections/schema.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'
import { findVisibleReader } from './profile.ts'
import { todayOf } from './today.ts'

/** Hooks of goals: a year stands for its days, and a filter is one that everyone could use. */
export const goalHooks: LibraryHooks<'goals'> = {
  prepare({ action, before, after }, tx) {
    if (!after) return
    const wrong: FieldProblems = {}
    const [from, to] = daysOf(before, after)
    if (after.year !== 0) checkSchema(goalYearForm, after, wrong)
    const form = checkSchema(goalForm, { ...after, from, to }, wrong)
    if (form?.filter && !isFilter(tx.dialect, form.filter)) wrong.filter = fieldError('goalFilter')
    throwFieldErrors(action, wrong)
    Object.assign(after, form, { year: yearOfDays(from, to) })
  },
}

type StoredGoal = Stored<'goals'>

/** @returns a goal's days: those that were given, or those of the year that was */
function daysOf(
  before: StoredGoal | null,
  { year, from, to }: StoredGoal,
): [from: string, to: string] {
  const areGiven = from !== (before?.from ?? '') || to !== (before?.to ?? '')
  const isYear = year !== 0 && year !== before?.year
  return isYear && !areGiven ? daysOfYear(year) : [from, to]
}

/** @returns whether a text is a filter of readings that everyone could use */
function isFilter(dialect: Database['dialect'], filter: string): boolean {
  try {
    checkFilter(schema, dialect, schema.get('readings'), filter)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

const columns = {
  id: text,
  kind: text,
  target: number,
  from: text,
  to: text,
  year: number,
  filter: text,
  isPrivate: flag,
}

/**
 * A reader's goals as the viewer sees them. A goal that others see counts what they see of the
 * reader's readings, for its owner, too.
 *
 * @param viewer null for a visitor
 * @returns null if there is no such reader or the viewer can't see the profile
 */
export async function listGoals(
  database: Database,
  records: Pick<Records, 'total'>,
  username: string,
  viewer: Viewer | null,
  now = new Date(),
): Promise<GoalList | null> {
  const reader = await findVisibleReader(database, username, viewer?.id ?? '')
  if (!reader) return null
  const today = await todayOf(database, reader.id, now)
  return { today, goals: await goalsOf(database, records, { user: reader.id, viewer, today }) }
}

/**
 * A reader's goals, whose profile the viewer can see.
 *
 * @param today the reader's day
 * @param isCurrent leaves out those that have ended or not begun
 */
export async function goalsOf(
  database: Database,
  records: Pick<Records, 'total'>,
  about: { user: string; viewer: Viewer | null; today: string; isCurrent?: boolean },
): Promise<Goal[]> {
  const { user, viewer, today, isCurrent = false } = about
  const shown = user === viewer?.id ? sql`TRUE` : sql`"isPrivate" = FALSE`
  const current = isCurrent ? sql`"from" <= ${today} AND "to" >= ${today}` : sql`TRUE`
  const rows = await query(
    database,
    sql`SELECT ${sql.join(Object.keys(columns).map((name) => sql.ref(name)))}
      FROM goals WHERE "user" = ${user} AND ${shown} AND ${current}
      ORDER BY "to" DESC, created, id LIMIT ${sql.lit(maxGoals)}`,
  )
  const goals: Goal[] = []
  // One after the other, as waiting reads are limited for each viewer.
  for (const row of named(rows, columns)) {
    const kind = goalKinds.find((one) => one === row.kind) ?? 'books'
    const counted = countedBy({ ...row, kind }, user)
    const [count = 0, sum = 0] = await records.total('readings', {
      viewer: row.isPrivate ? viewer : null,
      filter: counted,
      sums: kind === 'books' ? [] : [kind],
      // The rule says so, too, but not as an index can find it.
      only: row.isPrivate ? '' : 'visible = true',
    })
    const value = kind === 'books' ? count : sum
    goals.push({ ...row, kind, value, plan: planOn(row, today), counted })
  }
  return goals
}

/** @returns the filter of the readings that count for a goal */
function countedBy(
  { kind, from, to, filter }: Pick<Goal, 'kind' | 'from' | 'to' | 'filter'>,
  user: string,
): string {
  return [
    `user = ${JSON.stringify(user)}`,
    'outcome = "finished"',
    'uncounted = false',
    ...withinDays(from, to).map(([operator, date]) => `finished ${operator} "${date}"`),
    ...(kind === 'pages' ? ['format != "audio"'] : []),
    ...(kind === 'minutes' ? ['format = "audio"'] : []),
    // On lines of its own, in case it ends in a comment.
    ...(filter ? [`(${filter}\n)`] : []),
  ].join(' && ')
}
