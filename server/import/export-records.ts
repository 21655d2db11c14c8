import type { Collection, Field } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import { lifeOf, type Life } from '#server/collections/life.ts'
import type { LibraryCollection } from '#server/collections/stored.ts'
import type { ImportedBook } from '#shared/import.ts'
import { positionAtMost } from '#shared/book-order.ts'
import { emptyBook, type ExportedRecord, type ParsedRow } from './row.ts'

/** A collection whose records our own export restores. */
type Imported = Extract<LibraryCollection, { life: { imported: object } }>
export type ExportCollection = Imported['name']

const imported = new Map(
  schema.collections
    .filter((one): one is Imported => lifeOf(one).imported !== undefined)
    .map((one) => [one.name, one]),
)

/** In the order in which records depend on each other. */
export const exportCollections = [...imported.keys()]

/** @returns the field whose picture is in the ZIP file; undefined for none */
export function pictureField(collection: ExportCollection): string | undefined {
  return importedCollection(collection).fields.find(({ type }) => type === 'file')?.name
}

/**
 * @returns the fields to restore: those that a reader can set, and when the record was made and
 *   changed; no pictures
 */
export function restoredFields(collection: ExportCollection): string[] {
  const { fields } = importedCollection(collection)
  const isRestored = ({ name, type, writable, readable }: Field) =>
    writable !== 'never' && readable !== 'nobody' && type !== 'file' && !unset.has(name)
  return fields.filter(isRestored).map(({ name }) => name)
}

/** @returns those of them that aren't cleared when another record is deleted */
export function restoredValues(collection: ExportCollection): string[] {
  const relations = relationFields(importedCollection(collection))
  return restoredFields(collection).filter((name) => !relations.includes(name))
}

/** @returns the fields that name other records of the export, apart from the reader */
export function relationFields({ fields }: Pick<Collection, 'fields'>): string[] {
  return fields.flatMap(({ name, type }) => (type === 'relation' && !unset.has(name) ? [name] : []))
}

/**
 * @param idOf finds the record here that one of the export became; undefined if it isn't here
 * @returns the values of an exported record that name the records of this library
 */
export function withOwnRelations(
  { collection, values }: ExportedRecord,
  idOf: (old: string) => string | undefined,
): ExportedRecord['values'] {
  const names = relationFields(importedCollection(collection)).filter((name) => name in values)
  return { ...values, ...Object.fromEntries(names.map((n) => [n, idOf(String(values[n])) ?? ''])) }
}

/** A restored record has its own id and reader. */
const unset: ReadonlySet<string> = new Set(['id', 'user'])

function importedCollection(name: ExportCollection): Imported {
  return imported.get(name)!
}

/** @returns the row for a record of our own export */
export function parseExportedRecord(collection: ExportCollection, value: unknown): ParsedRow {
  const record = (value && typeof value === 'object' ? value : {}) as Record<string, unknown>
  const values = Object.fromEntries(
    restoredFields(collection)
      .filter((name) => name in record)
      .map((name) => [name, record[name]]),
  )
  const { id } = record
  const picture = record[pictureField(collection) ?? '']
  const source = { collection, id, ...values, ...(picture ? { picture } : {}) }
  if (typeof id !== 'string' || !id)
    return { source, book: null, reason: { key: 'recordWithoutId' } }
  const book = { ...emptyBook, title: importedCollection(collection).life.imported.title(values) }
  return {
    source,
    book: collection === 'user_books' ? bookOf(values) : book,
    reason: null,
    own: { collection, values },
  }
}

/** @returns the record stored in a row's source */
export function toExportedRecord(source: Record<string, unknown>) {
  const { collection, id, picture = '', ...values } = source
  return {
    collection: collection as ExportCollection,
    values: plausible(collection as ExportCollection, values),
    old: String(id),
    picture: String(picture),
  }
}

/**
 * Leaves out what no library can have, so that the record gets it anew: times that aren't, or
 * haven't come yet, and positions beyond those that a book can move to.
 */
function plausible(
  collection: ExportCollection,
  values: ExportedRecord['values'],
): ExportedRecord['values'] {
  const kept = { ...values }
  for (const field of importedCollection(collection).fields) {
    const isPast = field.type === 'autodate' || (field.type === 'date' && 'past' in field)
    if (!isPast) continue
    const { name } = field
    const time = typeof kept[name] === 'string' ? Date.parse(kept[name].replace(' ', 'T')) : NaN
    if (name in kept && !(time <= Date.now())) delete kept[name]
  }
  if (!(Math.abs(Number(kept['position'])) <= positionAtMost)) delete kept['position']
  return kept
}

/**
 * The data of an exported book that can be merged into an existing one. Its readings have their own
 * rows.
 */
function bookOf(values: Record<string, unknown>): ImportedBook {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  const list = (name: string) => (Array.isArray(values[name]) ? values[name].map(String) : [])
  return {
    ...emptyBook,
    title: text('title'),
    authors: list('authors'),
    isbn: text('isbn'),
    tags: list('tags'),
    rating: Number(values['rating']) || 0,
    review: text('review'),
    spoilers: values['review_spoilers'] === true,
    notes: text('notes'),
    format: text('format') as ImportedBook['format'],
    pages: Number(values['page_count']) || 0,
  }
}

/**
 * A key that is equal for records of the same thing.
 *
 * @param values of a record here, or of an exported one with its relations mapped to this library
 */
export function identityKey({ collection, values }: ExportedRecord): string {
  const { identity }: NonNullable<Life['imported']> = importedCollection(collection).life.imported
  const same =
    typeof identity === 'function' ? identity(values) : identity.map((name) => values[name] ?? null)
  return JSON.stringify([collection, ...same])
}
