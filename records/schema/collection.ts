import { crc32 } from 'node:zlib'
import type { RawBuilder } from 'kysely'
import { authFields, requireIdentityFields, type AuthOptions } from './auth-options.ts'
import { ownerField, type Field, type FileField, type FileOrigin, type Rule } from './field.ts'

interface Rules {
  list: Rule
  view: Rule
  create: Rule
  update: Rule
  delete: Rule
}

type CollectionType = 'base' | 'auth' | 'view'

/** A set of records with the same fields; {@link RecordOf} is the type of its records. */
export interface Collection<
  Name extends string = string,
  Fields extends readonly Field[] = readonly Field[],
> {
  id: string
  name: Name
  type: CollectionType
  fields: Fields
  rules: Rules
  /** Sets of columns that are unique together. A back-relation by a unique column is single. */
  unique: readonly (readonly string[])[]
  auth?: AuthOptions | undefined
  /**
   * Seconds for which a client's deletion can be undone; needs `trashTables` in the database.
   * Absent if it can't be.
   */
  trashLife?: number | undefined
  /** The records are API tokens of their owners; see `apiTokens` in ../auth/api-tokens.ts. */
  tokens?: TokenOptions | undefined
  /** API tokens can't write the records, as these give access of their own. */
  sessionOnly?: true | undefined
  /**
   * A view's rows, as a SELECT with one column for each field, in their order. It gets the viewer's
   * id ('' for a visitor), as counts may depend on the viewer. As in a table, no column may be NULL
   * and text must sort by bytes, so that filters can use the tables' indexes.
   */
  select?: ((viewer: RawBuilder<string>) => RawBuilder<unknown>) | undefined
}

/** How API tokens of a collection look and end. */
export interface TokenOptions {
  /** The beginning of every token, by which people and scanners of secrets know it. */
  prefix: string
  /** Seconds until a token ends that was made without a date. */
  life: number
}

/** A collection whose records are accounts. */
export type AuthCollection = Collection & { auth: AuthOptions }

/** The definition of a collection; see {@link collection}. */
interface CollectionInput<
  Name extends string,
  Type extends CollectionType,
  Fields extends readonly Field[],
> {
  id?: string
  name: Name
  type?: Type
  fields: Fields
  rules: Rules
  unique?: readonly (readonly string[])[]
  auth?: AuthOptions
  trashLife?: number
  tokens?: TokenOptions
  sessionOnly?: true
  select?: Collection['select']
}

const idField = {
  name: 'id',
  type: 'text',
  min: 15,
  max: 15,
  pattern: /^[a-z0-9]+$/,
  autogenerate: 15,
  writable: 'create',
} as const satisfies Field

/** The fields of a collection with those that every collection of its type has. */
type WithSystemFields<Type, Fields extends readonly Field[]> = readonly [
  typeof idField,
  ...(Type extends 'auth' ? typeof authFields : []),
  ...Fields,
]

/**
 * Completes a collection's definition: adds the `id` field, an auth collection's system fields, and
 * an id derived from type and name like PocketBase's.
 */
export function collection<
  const Name extends string,
  const Fields extends readonly Field[],
  Type extends CollectionType = 'base',
>(input: CollectionInput<Name, Type, Fields>): Collection<Name, WithSystemFields<Type, Fields>> {
  const type = input.type ?? 'base'
  const fields = [idField, ...(type === 'auth' ? authFields : []), ...input.fields]
  return {
    ...input,
    type,
    id: input.id ?? `pbc_${crc32(type + input.name)}`,
    fields: fields as readonly Field[] as WithSystemFields<Type, Fields>,
    unique: [
      ['id'],
      ...(type === 'auth' ? [['email'], ['tokenKey']] : []),
      ...(input.unique ?? []),
    ],
  }
}

/** The one of several collections that has the name. */
export type CollectionNamed<C extends Collection, Name extends string> = string extends C['name']
  ? C
  : Extract<C, { name: Name }>

/** All collections of an application. They are found by exact id, or by name in any case. */
export class Schema<C extends Collection = Collection> {
  readonly collections: readonly C[]
  readonly #byId = new Map<string, Collection>()
  readonly #byName = new Map<string, Collection>()

  /**
   * @throws if a relation or a view's file names a collection or field that doesn't exist, if
   *   records with an owner-only field have no owner, if a field derives from one that doesn't exist
   *   or is sorted or folded by one, or if accounts sign in by a field that isn't
   *   unique
   */
  constructor(collections: readonly C[]) {
    this.collections = collections
    for (const c of collections) {
      this.#byId.set(c.id, c)
      this.#byName.set(c.name.toLowerCase(), c)
    }
    for (const c of collections) {
      requireIdentityFields(c)
      const unowned = ownerField(c.fields) ? undefined : c.fields.find(isOwnerOnly)
      if (unowned)
        throw new Error(`${c.name}.${unowned.name} is for the owner, but no field names the owner`)
      for (const name of c.fields.flatMap(namedFields)) fieldOf(c, name)
      for (const f of c.fields)
        if (f.type === 'relation' && !this.#byName.has(f.collection.toLowerCase()))
          throw new Error(`${c.name}.${f.name} relates to ${f.collection}, which does not exist`)
        else if (f.type === 'file' && f.origin) this.#refuseLost(c, f, f.origin)
    }
  }

  #refuseLost(c: Collection, field: FileField, { collection: name, by }: FileOrigin): void {
    const fields = this.find(name)?.fields ?? []
    const isThere = fields.some((one) => one.name === field.name && one.type === 'file')
    if (!isThere || !fields.some((one) => one.name === by))
      throw new Error(`${c.name}.${field.name} comes from ${name}, which has no such file`)
  }

  find(idOrName: string): Collection | undefined {
    return this.#byId.get(idOrName) ?? this.#byName.get(idOrName.toLowerCase())
  }

  /** For names that are known to exist. @throws if there is no such collection */
  get(name: string): Collection {
    const found = this.find(name)
    if (!found) throw new Error(`no collection ${name}`)
    return found
  }
}

/** @returns whether only a record's owner sees the field */
function isOwnerOnly({ readable }: Field): boolean {
  return readable === 'owner'
}

/** @returns the fields of the same record that the field refers to */
function namedFields(field: Field): string[] {
  const from = field.type === 'text' ? field.derived?.from : undefined
  return [field.sortedBy, field.folded?.field, from].filter((name) => name !== undefined)
}

/** For names that are known to exist. @throws if the collection has no such field */
export function fieldOf({ name: of, fields }: Collection, name: string): Field {
  const found = fields.find((field) => field.name === name)
  if (!found) throw new Error(`${of} has no field ${name}`)
  return found
}
