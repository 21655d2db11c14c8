import { sql, type RawBuilder } from 'kysely'

/** The value of a SQL parameter. */
export type Value = string | number | bigint | boolean | null | Uint8Array

/**
 * A parameter whose value is only known when the statement runs. A statement is compiled and cached
 * once for each shape, then bound to new values for every request.
 *
 * `In` is the input of a binding, such as a request's viewer and literals.
 */
class Placeholder<In> {
  readonly read: (input: In) => Value
  constructor(read: (input: In) => Value) {
    this.read = read
  }
}

/** @returns a SQL fragment for the placeholder */
export function placeholder<In, T = unknown>(read: (input: In) => Value): RawBuilder<T> {
  return sql<T>`${sql.val(new Placeholder(read))}`
}

/** @returns the parameters in order, every placeholder read from the input */
export function bind<In>(parameters: readonly unknown[], input: In): Value[] {
  return parameters.map((p) =>
    p instanceof Placeholder ? (p as Placeholder<In>).read(input) : (p as Value),
  )
}
