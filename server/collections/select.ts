import { sql, type RawBuilder } from 'kysely'
import { decode, encode, fieldOf, named, prepared, type Db, type Row } from '#records/index.ts'
import { schema } from './schema.ts'
import type { CollectionName, Stored } from './stored.ts'

/** The name of a field that the collection declares. */
export type FieldName<Name extends CollectionName> = keyof Stored<Name> & string

/**
 * Decodes columns that hold fields of a collection, for `query` and `named`.
 *
 * @returns the fields' columns by name, as the collection declares them
 */
export function columnsOf<Name extends CollectionName, Field extends FieldName<Name>>(
  name: Name,
  ...fields: readonly Field[]
) {
  const collection = schema.get(name)
  const columns = fields.map((name) => {
    const field = fieldOf(collection, name)
    return [name, (value: Row[number]) => decode(field, value)]
  })
  return Object.fromEntries(columns) as { [F in Field]: (value: Row[number]) => Stored<Name>[F] }
}

/**
 * A prepared read of fields of a collection's records.
 *
 * @param by the fields whose values say which records
 * @param rest what follows these conditions, such as the order
 */
export function selectBy<
  Name extends CollectionName,
  Field extends FieldName<Name>,
  By extends FieldName<Name>,
>(
  name: Name,
  fields: readonly Field[],
  by: readonly By[],
  rest: RawBuilder<unknown> = sql``,
): (db: Db, values: Pick<Stored<Name>, By>) => Promise<Pick<Stored<Name>, Field>[]> {
  const columns = columnsOf(name, ...fields)
  const keys = by.map((field) => fieldOf(schema.get(name), field))
  const read = prepared<Record<By, unknown>>(
    (value) => sql`SELECT ${sql.join(fields.map((field) => sql.ref(field)))} FROM ${sql.table(name)}
      WHERE ${sql.join(
        by.map((field) => sql`${sql.ref(field)} = ${value(field)}`),
        sql` AND `,
      )} ${rest}`,
  )
  return async (db, values) => {
    const stored = keys.map((key) => [key.name, encode(key, values[key.name as By])])
    return named(await read(db, Object.fromEntries(stored)), columns)
  }
}
