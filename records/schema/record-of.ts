import type { Collection } from './collection.ts'
import type { Field } from './field.ts'

/** A record inside the server: all its collection's fields by name, including hidden ones. */
export type StoredRecord = { id: string } & Record<string, unknown>

/**
 * The record of a collection as its fields declare it; for a collection whose fields aren't known to
 * the compiler, {@link StoredRecord}.
 */
export type RecordOf<C extends Collection> = string extends C['fields'][number]['name']
  ? StoredRecord
  : { id: string } & { [F in C['fields'][number] as F['name']]: ValueOf<F> }

/** Values of some of a record's fields. `field+` and `field-` add and remove values. */
export type ValuesOf<C extends Collection> = string extends C['fields'][number]['name']
  ? Readonly<Record<string, unknown>>
  : { readonly [F in C['fields'][number] as F['name']]?: ValueOf<F> | undefined } & {
      readonly [F in C['fields'][number] as `${F['name']}${'+' | '-'}`]?: unknown
    }

/** The value of a field in a stored record; see `decode` in ./values.ts. */
type ValueOf<F extends Field> = F extends { type: 'number' }
  ? number
  : F extends { type: 'bool' }
    ? boolean
    : F extends { type: 'geoPoint' }
      ? { lon: number; lat: number }
      : F extends { type: 'json' }
        ? F extends { holds: (value: unknown) => infer Value }
          ? Value
          : unknown
        : F extends { type: 'select' }
          ? OneOrMany<F, F['values'][number] | Unset<F>>
          : OneOrMany<F, string>

/** An unset select is ''. */
type Unset<F extends Field> = F extends { required: true } ? never : ''

/** A list if the field holds several values. */
type OneOrMany<F extends Field, Value extends string> = F extends { maxSelect: infer Max }
  ? Max extends 1
    ? Value
    : Exclude<Value, ''>[]
  : Value
