/**
 * Who may see a field: everyone who sees the record, only the account that is the record, only the
 * account that owns it ({@link ownerField}), or nobody. A client can filter and sort by fields for
 * everyone, and by owner-only fields in its own records.
 */
export type Readable = 'everyone' | 'self' | 'owner' | 'nobody'

/**
 * When a client may set the field: always, only on create, or never (only the server sets it). A
 * field that nobody reads is the server's, too, unless it says `always`, as for another service's key.
 */
export type Writable = 'always' | 'create' | 'never'

interface FieldBase {
  name: string
  readable?: Readable
  writable?: Writable
  required?: boolean
  /** Name of the {@link Derived} field that clients' `sort` uses in place of this one. */
  sortedBy?: string
  /** What `name:folded ~ "text"` searches in place of this field. */
  folded?: Folded
}

/** A text that the service computes from another field whenever it writes the record. */
export interface Derived {
  from: string
  by: (value: unknown) => string
}

/** A derived field to search, and how the text that is searched for is folded. */
export interface Folded {
  field: string
  by: (text: string) => string
}

/** The most that a field holds which doesn't declare it: characters of text, bytes of markup or a file. */
export const usualMost = { text: 5000, bytes: 5_242_880 }

export interface TextField extends FieldBase {
  type: 'text'
  /** Lengths in code points; 0 or absent for no limit, except that `max` defaults to 5000. */
  min?: number
  max?: number
  pattern?: RegExp
  /**
   * The number of random characters (a-z and 0-9) that a create fills an empty field with, or
   * appends to what a client sends as `name:autogenerate`.
   */
  autogenerate?: number
  derived?: Derived
}
/** Text with markup, stored as sent. It must be sanitised before it is displayed. */
interface EditorField extends FieldBase {
  type: 'editor'
  /** Bytes; default 5 MiB. */
  maxSize?: number
}
/** Host names: only these, or all but these. */
export interface Domains {
  onlyDomains?: readonly string[]
  exceptDomains?: readonly string[]
}
interface EmailField extends FieldBase, Domains {
  type: 'email'
  /** Stores the address in lower case, as for accounts, so that two spellings are one account. */
  ignoresCase?: boolean
}
interface UrlField extends FieldBase, Domains {
  type: 'url'
}
/** Stored as an argon2id hash and never readable. */
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
  /** Refuses values that are neither true nor false, instead of reading them as false. */
  strict?: boolean
}
export interface DateField extends FieldBase {
  type: 'date'
  /** When something happened, so that an import leaves out a time to come. */
  past?: true
  /** In the format of records, `YYYY-MM-DD HH:MM:SS.mmmZ`. */
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
  /** The minimum for a list that isn't empty. */
  minSelect?: number
  /** Whether deleting the target deletes this record; otherwise the relation just loses the id. */
  cascadeDelete?: boolean
  /**
   * Leaves the record as it is when the target is deleted, for the application to delete it later,
   * as there may be too many for one transaction. No rule can reach a target that is gone.
   */
  outlivesTarget?: true
  /** Filled with the viewer's id if a create leaves it out. */
  fill?: 'viewer'
}
interface JsonField extends FieldBase {
  type: 'json'
  /** Bytes; default 1 MiB. */
  maxSize?: number
  /** Gives a stored value the shape that the application writes. */
  holds?: (value: unknown) => unknown
}
/** `{"lon":0,"lat":0}` in degrees; filters can use `.lon` and `.lat`. */
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
  /** For a view: the source of the file, which is served by the view's rules. */
  origin?: FileOrigin
}

/** A collection with a file field of the same name, and its field that holds the view's id. */
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

/** A rule: null for no client, '' for everyone, otherwise an expression in the filter language. */
export type Rule = string | null

/** @returns whether the field's column holds JSON text, as sent on the wire */
export function holdsJson(field: Field): boolean {
  return field.type === 'json' || field.type === 'geoPoint' || isMultiple(field)
}

/** @returns the relation that names a record's owner, which is filled with the viewer on create */
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

/** For `holds` of a JSON field that the application or its hooks always write in this shape. */
export function asWritten<T>(value: unknown): T {
  return value as T
}
