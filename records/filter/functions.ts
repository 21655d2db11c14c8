import { sql } from 'kysely'
import type { Dialect } from '../database/database.ts'
import { asNumber, type Input } from './input.ts'
import { numberColumn, numberPlaceholder, type Operand } from './operand.ts'
import type { Sql } from './scope.ts'
import { strftime } from './functions-time.ts'
import { parseFormat, parseModifiers, type Format, type TimeModifiers } from './functions-format.ts'
import { FilterError, type Call, type Expression } from './tree.ts'

/** A valid function call. */
export type Signature =
  | { name: 'geoDistance'; values: readonly Expression[] }
  | {
      name: 'strftime'
      format: Format
      timing: TimeModifiers
      /** The moment; empty for now. */
      values: readonly Expression[]
    }

/**
 * The functions of the filter language, with PocketBase's names and arguments:
 *
 * - `geoDistance(lonA, latA, lonB, latB)`: the distance in kilometres between points in degrees
 * - `strftime(format, moment, modifier...)`: a moment in UTC as text; by default now
 *
 * @throws FilterError for an unknown function or invalid arguments
 */
export function checkCall({ name, args }: Call): Signature {
  if (name === 'geoDistance') {
    if (args.length !== 4) throw new FilterError('geoDistance takes four numbers')
    if (args.some(({ type }) => type === 'text' || type === 'call'))
      throw new FilterError('geoDistance takes numbers and fields')
    return { name, values: args }
  }
  if (name === 'strftime') {
    const [format, moment, ...modifiers] = args
    return {
      name,
      format: parseFormat(said(format)),
      timing: parseModifiers(modifiers.map(said)),
      values: moment ? [moment] : [],
    }
  }
  throw new FilterError(`unknown function ${name}`)
}

/** Arguments that shape the statement must be literals. */
function said(arg: Expression | undefined): string {
  if (arg?.type !== 'text' || arg.text === undefined) throw new FilterError('missing text argument')
  return arg.text
}

/** @returns the call's result, as a side of a comparison */
export function callFunction(
  dialect: Dialect,
  signature: Signature,
  values: readonly Operand[],
): Operand {
  if (signature.name === 'strftime') return strftime(dialect, signature, values[0])
  return numberColumn(dialect, geoDistance(values.map((value) => degrees(dialect, value))), true)
}

function degrees(dialect: Dialect, value: Operand): Sql {
  if (value.type === 'free') return numberPlaceholder(dialect, (input) => finite(value.read(input)))
  if (value.type === 'text') throw new FilterError('geoDistance takes no text')
  return value.number
}

function finite(value: ReturnType<(input: Input) => unknown>): number | null {
  const number = asNumber(value)
  return Number.isFinite(number) ? number : null
}

const radiusKm = 6371

/** The haversine formula. Each step is its own SELECT, so that no expression is repeated. */
function geoDistance([lonA, latA, lonB, latB]: readonly Sql[]): Sql {
  // PostgreSQL raises an error when a product underflows.
  const near = sql.lit(1e-9)
  const radians = (name: string) => {
    const value = sql.ref(`given.${name}`)
    return sql`RADIANS(CASE WHEN ABS(${value}) < ${near} THEN 0 ELSE ${value} END) AS ${sql.id(name)}`
  }
  const names = ['lonA', 'latA', 'lonB', 'latB']
  const given = sql`SELECT ${lonA} AS "lonA", ${latA} AS "latA", ${lonB} AS "lonB", ${latB} AS "latB"`
  const angles = sql`SELECT ${sql.join(names.map(radians))} FROM (${given}) AS given`
  const haversine = sql`SELECT POWER(SIN(("latB" - "latA") / 2), 2) + COS("latA") * COS("latB") * POWER(SIN(("lonB" - "lonA") / 2), 2) AS h FROM (${angles}) AS angles`
  return sql`(SELECT ${sql.lit(2 * radiusKm)} * ASIN(SQRT(CASE WHEN h > 1 THEN 1 ELSE h END)) FROM (${haversine}) AS haversine)`
}
