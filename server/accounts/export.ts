import type { StoredRecord, Viewer } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { lifeOf } from '#server/collections/life.ts'
import { schema } from '#server/collections/schema.ts'
import { pauseBetween } from './pause-between.ts'

/** The collections of a reader's data, in the order of the schema. Imports follow with their rows. */
const owned = schema.collections
  .filter((one) => {
    const { type, name, fields } = one
    const isOwned = fields.some((field) => field.name === 'user' && field.type === 'relation')
    const isExported = lifeOf(one).exported !== false
    return type === 'base' && name !== 'imports' && isOwned && isExported
  })
  .map(({ name }) => name)

/** A reader's pictures, by the collection and its field. */
const pictures = schema.collections.flatMap(({ name, type, fields }) =>
  type === 'view' || name === 'imports'
    ? []
    : fields.flatMap((field) => (field.type === 'file' ? [[name, field.name] as const] : [])),
)

/** A reader's upload. */
export interface UploadedFile {
  collection: string
  record: string
  name: string
}

/**
 * Everything of a reader's as one JSON document in pieces, written as it is read, so that a library
 * of any size takes the memory of a few hundred books.
 *
 * @param appUrl the site's address, for links to pictures
 * @param now the document's date
 */
export async function* exportAccount(
  records: Pick<LibraryRecords, 'find' | 'recordsOf' | 'trashedRecords' | 'openSessions'>,
  viewer: Viewer,
  appUrl: string,
  now: Date,
): AsyncGenerator<string> {
  const user = viewer.id
  const account = await records.find('users', user)
  if (!account) return
  const { created } = account
  const head = { product: 'Octavo', version: 1, exported: now.toISOString() }
  yield JSON.stringify({ ...head, user: { ...shown('users', account), created } }).slice(0, -1)
  for (const name of owned) {
    yield `,\n${JSON.stringify(name)}: [`
    yield* items(records.recordsOf(name, 'user', user), (record) => shown(name, record))
    yield ']'
  }
  yield ',\n"imports": ['
  yield* items(records.recordsOf('imports', 'user', user), (record) => shown('imports', record))
  yield '],\n"import_rows": ['
  yield* items(importRows(records, user), (record) => shown('import_rows', record))
  yield ']'
  yield ',\n"removed": ['
  yield* items(records.trashedRecords(user), ({ collection, record, removed }) => ({
    collection,
    removed: new Date(removed).toISOString(),
    record: shown(collection, record),
  }))
  yield ']'
  yield* signIns(await records.openSessions(viewer))
  yield ',\n"pictures": ['
  yield* items(uploads(records, account), (file) => appUrl + addressOf(file))
  yield ']}\n'
}

async function* importRows(
  records: Pick<LibraryRecords, 'recordsOf'>,
  user: string,
): AsyncGenerator<StoredRecord[]> {
  for await (const group of records.recordsOf('imports', 'user', user))
    for (const { id } of group) yield* records.recordsOf('import_rows', 'import', id)
}

/** Sessions and trusted devices, without their keys. */
function* signIns({
  sessions,
  devices,
}: Awaited<ReturnType<LibraryRecords['openSessions']>>): Generator<string> {
  const date = (time: number) => new Date(time).toISOString()
  const shownOf = ({
    agent,
    created,
    used,
  }: (typeof sessions)[number] | (typeof devices)[number]) => ({
    agent,
    created: date(created),
    used: date(used),
  })
  yield `,\n"sessions": ${JSON.stringify(sessions.map(shownOf))}`
  yield `,\n"devices": ${JSON.stringify(devices.map((one) => ({ ...shownOf(one), expires: date(one.expires) })))}`
}

async function* items<T>(
  groups: AsyncIterable<readonly T[]>,
  toJson: (one: T) => unknown,
): AsyncGenerator<string> {
  let separator = '\n'
  for await (const group of pauseBetween(groups)) {
    if (!group.length) continue
    yield separator + group.map((one) => JSON.stringify(toJson(one))).join(',\n')
    separator = ',\n'
  }
}

/** An upload that nobody else sees needs the reader's own session. */
const addressOf = ({ collection, record, name }: UploadedFile) =>
  `/api/files/${collection}/${record}/${name}`

async function* uploads(
  records: Pick<LibraryRecords, 'find' | 'recordsOf'>,
  account: StoredRecord,
): AsyncGenerator<UploadedFile[]> {
  yield* picturesOf(records, account.id)
  yield* filesOf('imports', 'file', records.recordsOf('imports', 'user', account.id))
}

/** A reader's uploads: profile image, background, and covers of books. */
export async function* picturesOf(
  records: Pick<LibraryRecords, 'find' | 'recordsOf'>,
  user: string,
): AsyncGenerator<UploadedFile[]> {
  for (const [name, field] of pictures) {
    const account = name === 'users' ? await records.find(name, user) : null
    const groups = account ? [[account]] : records.recordsOf(name, 'user', user)
    yield* filesOf(name, field, groups)
  }
}

async function* filesOf(
  collection: string,
  field: string,
  groups: AsyncIterable<StoredRecord[]> | Iterable<StoredRecord[]>,
): AsyncGenerator<UploadedFile[]> {
  for await (const group of groups)
    yield group
      .filter((record) => record[field])
      .map((record) => ({ collection, record: record.id, name: String(record[field]) }))
}

/** A record without hidden fields, such as the password. */
function shown(collection: string, record: StoredRecord): Record<string, unknown> {
  const readable = schema.get(collection).fields.filter((field) => field.readable !== 'nobody')
  return Object.fromEntries(readable.map(({ name }) => [name, record[name]]))
}
