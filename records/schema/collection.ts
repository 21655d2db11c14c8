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

export interface Collection {
  id: string
  name: string
  type: 'base' | 'auth' | 'view'
  fields: readonly Field[]
  rules: Rules
  /** Sets of columns that are unique together. A back-relation by a unique column is single. */
  unique: readonly (readonly string[])[]
  auth?: AuthOptions | undefined
  /**
   * Seconds for which a client's deletion can be undone; needs `trashTables` in the database.
   * Absent if it can't be.
   */
  trashLife?: number | undefined
  /**
   * A view's rows, as a SELECT with one column for each field, in their order. It gets the viewer's
   * id ('' for a visitor), as counts may depend on the viewer. As in a table, no column may be NULL
   * and text must sort by bytes, so that filters can use the tables' indexes.
   */
  select?: ((viewer: RawBuilder<string>) => RawBuilder<unknown>) | undefined
}

/** A collection whose records are accounts. */
export type AuthCollection = Collection & { auth: AuthOptions }

/** The definition of a collection; see {@link collection}. */
interface CollectionInput {
  id?: string
  name: string
  type?: Collection['type']
  fields: readonly Field[]
  rules: Rules
  unique?: readonly (readonly string[])[]
  auth?: AuthOptions
  trashLife?: number
  select?: Collection['select']
}

/**
 * Completes a collection's definition: adds the `id` field, an auth collection's system fields, and
 * an id derived from type and name like PocketBase's.
 */
export function collection(input: CollectionInput): Collection {
  const type = input.type ?? 'base'
  const id: Field = {
    name: 'id',
    type: 'text',
    min: 15,
    max: 15,
    pattern: /^[a-z0-9]+$/,
    autogenerate: 15,
    writable: 'create',
  }
  return {
    ...input,
    type,
    id: input.id ?? `pbc_${crc32(type + input.name)}`,
    fields: [id, ...(type === 'auth' ? authFields : []), ...input.fields],
    unique: [
      ['id'],
      ...(type === 'auth' ? [['email'], ['tokenKey']] : []),
      ...(input.unique ?? []),
    ],
  }
}

/** All collections of an application. They are found by exact id, or by name in any case. */
export class Schema {
  readonly collections: readonly Collection[]
  readonly #byId = new Map<string, Collection>()
  readonly #byName = new Map<string, Collection>()

  /**
   * @throws if a relation or a view's file names a collection or field that doesn't exist, if
   *   records with an owner-only field have no owner, or if accounts sign in by a field that isn't
   *   unique
   */
  constructor(collections: readonly Collection[]) {
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
