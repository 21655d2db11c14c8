import { sql, type RawBuilder } from 'kysely'

/** Those for whom a reader's totals are kept apart. */
export const audiences = ['owner', 'others'] as const
export type Audience = (typeof audiences)[number]

/** @returns the `audience` whose totals a viewer gets */
export function audienceOf(reader: RawBuilder<unknown>, viewer: RawBuilder<unknown>) {
  return sql<Audience>`CASE WHEN ${reader} = ${viewer} THEN 'owner' ELSE 'others' END`
}
