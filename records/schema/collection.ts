import { crc32 } from 'node:zlib'
import type { RawBuilder } from 'kysely'
import { authFields, refuseLostIdentity, type AuthOptions } from './auth-options.ts'

/**
 * Who may see a field in an answer: everyone who sees the record, only the account the record is,
 * or nobody. Only fields for everyone can be filtered or sorted by a client.
 */
export type Readable = 'everyone' | 'self' | 'nobody'

/** When a client's value counts: always, only on create, or never (the server keeps the field). */
export type Writable = 'always' | 'create' | 'never'

interface FieldBase {
  name: string
  readable?: Readable
  writable?: Writable
  required?: boolean
}

export interface TextField extends FieldBase {
  type: 'text'
  /** Code points; 0 or absent is no limit, except that max defaults to 5000. */
  min?: number
  max?: number
  pattern?: RegExp
  /**
   * How many of a-z and 0-9 a create puts where nothing was sent; a client that sends
   * `name:autogenerate` has them behind what it sends.
   */
  autogenerate?: number
}
/** Text with markup, as it was sent: whoever shows it has to clean it. */
export interface EditorField extends FieldBase {
  type: 'editor'
  /** Bytes; default 5 MiB. */
  maxSize?: number
}
/** Host names; only these, or all but these. */
export interface Domains {
  onlyDomains?: readonly string[]
  exceptDomains?: readonly string[]
}
export interface EmailField extends FieldBase, Domains {
  type: 'email'
  /** Kept in lower case, as an account's is: two spellings of one address are one account. */
  ignoresCase?: boolean
}
export interface UrlField extends FieldBase, Domains {
  type: 'url'
}
/** Never stored as sent: an argon2id hash; never readable. */
export interface PasswordField extends FieldBase {
  type: 'password'
  min: number
  max: number
}
export interface NumberField extends FieldBase {
  type: 'number'
  min?: number
  max?: number
  onlyInt?: boolean
}
export interface BoolField extends FieldBase {
  type: 'bool'
  /** Refuses what is neither true nor false, which would else be read as false. */
  strict?: boolean
}
export interface DateField extends FieldBase {
  type: 'date'
  /** Moments as records have them, `YYYY-MM-DD HH:MM:SS.mmmZ`. */
  min?: string
  max?: string
}
export interface AutodateField extends FieldBase {
  type: 'autodate'
  onUpdate: boolean
}
export interface SelectField extends FieldBase {
  type: 'select'
  values: readonly string[]
  /** 1 or absent is a single value, stored as text; more is a list, stored as JSON. */
  maxSelect?: number
}
export interface RelationField extends FieldBase {
  type: 'relation'
  /** Name of the collection the ids belong to. */
  collection: string
  /** 1 or absent is a single id, stored as text; more is a list, stored as JSON. */
  maxSelect?: number
  /** Of a list that is not empty. */
  minSelect?: number
  /** Deleting the target deletes this record; otherwise the id is emptied. */
  cascadeDelete?: boolean
  /** Filled with the signed-in account's id when a create leaves it out. */
  fill?: 'viewer'
}
export interface JsonField extends FieldBase {
  type: 'json'
  /** Bytes; default 1 MiB. */
  maxSize?: number
}
/** `{"lon":0,"lat":0}` in degrees; filters know its parts as `.lon` and `.lat`. */
export interface GeoPointField extends FieldBase {
  type: 'geoPoint'
}
export interface FileField extends FieldBase {
  type: 'file'
  maxSelect?: number
  /** Bytes; default 5 MiB. */
  maxSize?: number
  mimeTypes?: readonly string[]
  /** Such as `100x50f`; see `parseThumb` in ../files/images.ts. */
  thumbs?: readonly string[]
  /** For a view: whose file it shows. It is served by the view's rules. */
  origin?: FileOrigin
}

/** A collection with a file field of the same name, and the field of it that is the view's id. */
export interface FileOrigin {
  collection: string
  by: string
}

export type Field =
  | TextField
  | EditorField
  | EmailField
  | UrlField
  | PasswordField
  | NumberField
  | BoolField
  | DateField
  | AutodateField
  | SelectField
  | RelationField
  | JsonField
  | GeoPointField
  | FileField

/** A rule: null is nobody over HTTP, '' everyone, else an expression of the filter language. */
export type Rule = string | null

export interface Rules {
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
  /** Columns that together identify a row; also what a back-relation is single by. */
  unique: readonly (readonly string[])[]
  auth?: AuthOptions | undefined
  /**
   * Seconds for which a client's deletion can be undone, with `removedTables` in the database;
   * absent: not at all.
   */
  removedLife?: number | undefined
  /**
   * A view's rows, as a SELECT with one column a field, in the fields' order. The viewer's id is
   * there because what is counted may depend on who looks ('' for a visitor). As in a table, no
   * column is ever NULL and text sorts by bytes, so that the indexes underneath serve its filters.
   */
  select?: ((viewer: RawBuilder<string>) => RawBuilder<unknown>) | undefined
}

/** A collection whose records are accounts. */
export type AuthCollection = Collection & { auth: AuthOptions }

/** A collection as it is written down; see {@link collection}. */
export interface CollectionInput {
  id?: string
  name: string
  type?: Collection['type']
  fields: readonly Field[]
  rules: Rules
  unique?: readonly (readonly string[])[]
  auth?: AuthOptions
  removedLife?: number
  select?: Collection['select']
}

/**
 * Completes a collection: the `id` field in front, an auth collection's system fields, and an id
 * from type and name as PocketBase derives it.
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

/** @returns whether the field's column holds JSON text as it goes out */
export function holdsJson(field: Field): boolean {
  return field.type === 'json' || field.type === 'geoPoint' || isMultiple(field)
}

/** @returns whether the field holds a list of values */
export function isMultiple(field: Field): boolean {
  return 'maxSelect' in field && (field.maxSelect ?? 1) > 1
}

/** All collections of an application; the lookup both by id (exact) and name (any case). */
export class Schema {
  readonly collections: readonly Collection[]
  readonly #byId = new Map<string, Collection>()
  readonly #byName = new Map<string, Collection>()

  /**
   * @throws if a relation, or a view's file, names a collection or field that is not there, or
   *   accounts sign in by a field that is not theirs alone
   */
  constructor(collections: readonly Collection[]) {
    this.collections = collections
    for (const c of collections) {
      this.#byId.set(c.id, c)
      this.#byName.set(c.name.toLowerCase(), c)
    }
    for (const c of collections) {
      refuseLostIdentity(c)
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

  /** @throws if there is no such collection: for names that stand in the code */
  get(name: string): Collection {
    const found = this.find(name)
    if (!found) throw new Error(`no collection ${name}`)
    return found
  }
}
