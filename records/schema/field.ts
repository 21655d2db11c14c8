/**
 * Who may see a field in an answer: everyone who sees the record, only the account the record is,
 * only the account that owns it ({@link ownerField}), or nobody. A client can filter and sort by
 * fields for everyone, and by the owner's in records of its own.
 */
export type Readable = 'everyone' | 'self' | 'owner' | 'nobody'

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
interface EditorField extends FieldBase {
  type: 'editor'
  /** Bytes; default 5 MiB. */
  maxSize?: number
}
/** Host names; only these, or all but these. */
export interface Domains {
  onlyDomains?: readonly string[]
  exceptDomains?: readonly string[]
}
interface EmailField extends FieldBase, Domains {
  type: 'email'
  /** Kept in lower case, as an account's is: two spellings of one address are one account. */
  ignoresCase?: boolean
}
interface UrlField extends FieldBase, Domains {
  type: 'url'
}
/** Never stored as sent: an argon2id hash; never readable. */
interface PasswordField extends FieldBase {
  type: 'password'
  min: number
  max: number
}
interface NumberField extends FieldBase {
  type: 'number'
  min?: number
  max?: number
  onlyInt?: boolean
}
interface BoolField extends FieldBase {
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
interface AutodateField extends FieldBase {
  type: 'autodate'
  onUpdate: boolean
}
interface SelectField extends FieldBase {
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
interface JsonField extends FieldBase {
  type: 'json'
  /** Bytes; default 1 MiB. */
  maxSize?: number
}
/** `{"lon":0,"lat":0}` in degrees; filters know its parts as `.lon` and `.lat`. */
interface GeoPointField extends FieldBase {
  type: 'geoPoint'
}
export interface FileField extends FieldBase {
  type: 'file'
  maxSelect?: number
  /** Bytes; default 5 MiB. */
  maxSize?: number
  mimeTypes?: readonly string[]
  /** Refuses pictures by their first bytes, before anything decodes them. */
  refusesPictures?: true
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

/** @returns whether the field's column holds JSON text as it goes out */
export function holdsJson(field: Field): boolean {
  return field.type === 'json' || field.type === 'geoPoint' || isMultiple(field)
}

/** @returns the relation that names a record's owner: the one filled with who creates it */
export function ownerField(fields: readonly Field[]): RelationField | undefined {
  return fields.find(
    (field): field is RelationField =>
      field.type === 'relation' && field.fill === 'viewer' && !isMultiple(field),
  )
}

/** @returns whether the field holds a list of values */
export function isMultiple(field: Field): boolean {
  return 'maxSelect' in field && (field.maxSelect ?? 1) > 1
}
