/** Everything that strangers must not see, each text of it a canary of its own. */

import type { Database } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import type { ImportRow } from '#shared/import.ts'
import { parseIsbn } from '#shared/isbn.ts'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  passwordOf,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'

/** Two books of the starter catalogue that two readers share, and one the owner hides. */
export const sharedIsbns = ['9780141439518', '9780141439587'] as const
/** The first of them, as readers have it on their shelves. */
export const reviewed = { title: 'Pride and Prejudice', authors: ['Jane Austen'] }
export const secretlySharedIsbn = '9780192804785'

/** A number that only hidden records have. */
export const hiddenNumber = 7919

export interface Hidden {
  /** By collection, the ids that only the full copy has. */
  ids: Record<string, string[]>
  /** Paths of files that only the full copy has, as the record service hands them out. */
  files: string[]
  emails: string[]
  usernames: string[]
  isbns: string[]
  /** Ids of deletions that can be undone, of half-done sign-ins and of sent codes. */
  removals: string[]
  signIns: string[]
  codes: string[]
  /** Every canary in the records. */
  canaries: string[]
}

let count = 0
const canary = () => `canary-${++count}`
function isbn(): string {
  const digits = `978000${String(++count).padStart(6, '0')}`
  return [...'0123456789'].map((last) => digits + last).find(parseIsbn) ?? ''
}

/**
 * Hides things in a library, as its owner and as readers whom nobody sees.
 *
 * @returns those readers: one with a private profile, one hidden by the operator, one without settings
 */
export async function addHidden(fixture: Fixture, owner: Reader): Promise<Reader[]> {
  await addShelves(owner, ['private'])
  await addReading(owner)
  // A note on a book that everybody sees.
  const seen = quoted(owner.id)
  await fixture.database.transaction((tx) =>
    tx.query(`UPDATE user_books SET notes = ${quoted(canary())}, position = ${hiddenNumber},
        completed = ${quoted(JSON.stringify({ images: { source: 'google', import: canary() } }))}
      WHERE "user" = ${seen} AND title = 'Seen 0'`),
  )
  await addTrash(owner)
  await addImport(fixture, owner)
  await addDevice(fixture, owner)
  await addWebhook(fixture, owner)
  await subscribe(fixture, owner)
  await fixture.records.write((tx) => tx.update('users', owner.id, { isAdmin: true }))
  await owner.client.collection('settings').update(await settingsOf(owner), {
    default_add_status: 'planning',
    country: 'DE',
    accent: 'plum',
    stores: [{ name: canary(), format: 'ebook', template: 'https://canary.test/{isbn13}' }],
  })
  const hidden = await addReader(fixture)
  await hidden.client.collection('settings').update(await settingsOf(hidden), { isPrivate: true })
  await subscribe(fixture, hidden)
  const moderated = await addReader(fixture)
  const settings = await settingsOf(moderated)
  await fixture.records.write((tx) => tx.update('settings', settings, { isHidden: true }))
  const unset = await addReader(fixture)
  const change = (statement: string) => fixture.database.transaction((tx) => tx.query(statement))
  const unsetSettings = await settingsOf(unset)
  await fixture.records.write((tx) => tx.delete('settings', unsetSettings))
  const complaint = { reason: 'other', details: canary() }
  await ask(hidden.client, 'POST', `/api/v1/users/${owner.username}/reports`, complaint)
  // Half a sign-in, and a session more.
  await ask(fixture.visitor(), 'POST', '/api/collections/users/auth-with-password', {
    identity: owner.email,
    password: passwordOf('owner'),
  })
  await fixture.signIn('owner')
  const data = quoted(JSON.stringify({ title: canary() }))
  await change(`UPDATE activities SET data = ${data} WHERE "isPrivate"`)
  const email = quoted(`${canary()}@example.org`)
  await change(`UPDATE users SET email = ${email} WHERE id = ${quoted(owner.id)}`)
  return [hidden, moderated, unset]
}

/** @returns a picture whose bytes hold the word */
export function svgPicture(word: string): File {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60"><title>${word}</title><rect width="40" height="60" fill="#936"/></svg>`
  return new File([text], `${word}.svg`, { type: 'image/svg+xml' })
}

/** Signs up a reader, and fills the profile, two shelves and the trash. */
async function addReader(fixture: Fixture): Promise<Reader> {
  const reader = await fixture.reader(canary())
  const { client, id } = reader
  const users = client.collection('users')
  // The second name leaves the first behind as a former one.
  for (const username of [canary(), canary()]) await users.update(id, { username })
  await users.update(id, { name: canary(), avatar: svgPicture(canary()) })
  const background = svgPicture(canary())
  await client.collection('settings').update(await settingsOf(reader), { background })
  await addShelves(reader, ['public', 'private'])
  await addTrash(reader)
  return reader
}

async function addShelves(reader: Reader, visibilities: readonly string[]): Promise<void> {
  for (const visibility of visibilities) {
    const shelf = await addShelf(reader, canary(), visibility)
    const numbers = { page_count: hiddenNumber, progress: 50, rating: 9.5 }
    for (const known of [isbn(), ...sharedIsbns, secretlySharedIsbn]) {
      // Of a book that others see elsewhere there is one state: another copy adds nothing to it.
      const isSeen = known === sharedIsbns[0] || known === sharedIsbns[1]
      await addBook(reader, shelf.id, {
        title: canary(),
        authors: [canary()],
        genres: [canary()],
        images: [`https://covers.openlibrary.org/b/id/${hiddenNumber}-L.jpg#${canary()}`],
        isbn: known,
        ...(isSeen ? {} : { ...numbers, series: canary(), description: canary() }),
      })
    }
    await addBook(reader, shelf.id, { ...reviewed, ...numbers, review: canary() })
    const book = await reader.client.collection('user_books').create({
      shelf: shelf.id,
      title: canary(),
      status: 'reading',
      image: svgPicture(canary()),
    })
    const change = { status: 'completed', ...numbers, progress: hiddenNumber }
    await reader.client.collection('user_books').update(book.id, change)
  }
}

/** Hides a book on a public shelf, with what belongs to it, and a goal. */
async function addReading(owner: Reader): Promise<void> {
  const { client, id } = owner
  const filter = `user = "${id}" && visibility = "public"`
  const shelf = await client.collection('bookshelves').getFirstListItem(filter, { sort: 'created' })
  const book = await addBook(owner, shelf.id, {
    title: canary(),
    authors: [canary()],
    isbn: isbn(),
    page_count: hiddenNumber,
    rating: 9.5,
    images: [`https://covers.openlibrary.org/b/id/${hiddenNumber}-L.jpg#${canary()}`],
    tags: [canary()],
    notes: canary(),
    review: canary(),
    series: canary(),
    description: canary(),
    isPrivate: true,
  })
  const { book_key } = book
  const books = client.collection('user_books')
  await books.update(book.id, { progress: 50 })
  await books.update(book.id, { status: 'completed', position: hiddenNumber })
  const reading = { started: '2009', outcome: 'finished', pages: hiddenNumber }
  await client.collection('readings').create({ book_key, ...reading })
  const quote = { book_key, text: canary(), note: canary(), page: hiddenNumber }
  for (const isPrivate of [true, false])
    await client.collection('quotes').create({ ...quote, isPrivate })
  // Of a book that everybody sees: a quote that is kept to oneself, and the pages of a day.
  const seen = await books.getFirstListItem<UserBook>(`user = "${id}" && title = "Seen 0"`)
  await client.collection('quotes').create({ ...quote, book_key: seen.book_key, isPrivate: true })
  const pages = { day: '2009-05-23', unit: 'pages', from: 1, to: hiddenNumber }
  await client.collection('progress_log').create({ book_key: seen.book_key, ...pages })
  const goal = { year: 2030, kind: 'books', target: hiddenNumber, isPrivate: true }
  await client.collection('goals').create(goal)
}

/** A file of another tracker that was brought in, with one of its rows. */
async function addImport({ records }: Fixture, { client, id }: Reader): Promise<void> {
  const file = new File([`Title\n${canary()}\n`], `${canary()}.csv`)
  const made = await client.collection('imports').create({ user: id, file })
  const read = { title: canary() } as ImportRow['read']
  const row = { state: 'matched' as const, source: { Title: canary() }, read }
  await records.write(async (tx) => {
    await tx.update('imports', made.id, { state: 'done', error: canary() })
    await tx.create('import_rows', { import: made.id, number: hiddenNumber, ...row })
  })
}

/** A device that sends pages, and two of its books. */
async function addDevice({ records }: Fixture, { client, id }: Reader): Promise<void> {
  const { id: connection } = await client
    .collection('connections')
    .create({ name: canary(), kind: 'koreader' })
  await client.collection('api_tokens').create({ name: canary(), scope: 'read' })
  await records.write(async (tx) => {
    const values = { user: id, connection, title: canary(), filename: canary(), device: canary() }
    await tx.create('device_books', { ...values, document: 'a1', authors: [canary()] })
    await tx.create('device_files', { user: id, connection, path: canary() })
    await tx.create('reading_times', {
      user: id,
      document: canary(),
      day: '2026-03-01',
      times: [[hiddenNumber, 1_772_395_200, 60, hiddenNumber]],
    })
    await tx.create('listening_sessions', {
      user: id,
      document: canary(),
      session: canary(),
      seconds: hiddenNumber,
    })
    const marked = { page: 0, percent: 0, at: '', state: 'new' as const }
    await tx.create('device_quotes', {
      user: id,
      document: canary(),
      quotes: [{ text: canary(), note: canary(), ...marked }],
    })
  })
}

/** An address that is told of changes, and what it was told. */
async function addWebhook({ records }: Fixture, { client, id }: Reader): Promise<void> {
  const { id: webhook } = await client
    .collection('webhooks')
    .create({ url: `https://example.org/${canary()}`, events: ['quote.added'] })
  const sent = { event: 'quote.added', state: 'delivered', status: hiddenNumber } as const
  await records.write((tx) =>
    tx.create('webhook_deliveries', {
      user: id,
      webhook,
      ...sent,
      body: JSON.stringify({ type: sent.event, data: { quote: { text: canary() } } }),
      answer: canary(),
    }),
  )
}

async function addTrash(reader: Reader): Promise<void> {
  const { client } = reader
  for (const isWhole of [true, false]) {
    const shelf = await addShelf(reader, canary(), 'private')
    const book = await addBook(reader, shelf.id, { title: canary(), isbn: isbn() })
    const { book_key } = book
    const quote = await client.collection('quotes').create({ book_key, text: canary() })
    const reading = await client
      .collection('readings')
      .create({ book_key, started: '2009', outcome: 'finished', pages: hiddenNumber })
    await client.collection('quotes').delete(quote.id)
    await client.collection('readings').delete(reading.id)
    if (isWhole) await client.collection('bookshelves').delete(shelf.id)
    else await client.collection('user_books').delete(book.id)
  }
}

async function subscribe({ records }: Fixture, { id }: Reader): Promise<void> {
  await records.write((tx) => tx.create('subscriptions', { user: id, status: 'active' }))
}

async function settingsOf({ client, id }: Reader): Promise<string> {
  return (await client.collection('settings').getFirstListItem(`user = "${id}"`)).id
}

/** What the full copy has and the bare one has not. */
export async function findHidden(full: Fixture, bare: Fixture): Promise<Hidden> {
  const column = async ({ database }: Fixture, table: string, name: string): Promise<string[]> =>
    (await database.query(`SELECT "${name}" FROM "${table}"`)).map(([value]) => String(value))
  const more = async (table: string, name = 'id') => {
    const known = new Set(await column(bare, table, name))
    return (await column(full, table, name)).filter((value) => value && !known.has(value))
  }
  const ids: Hidden['ids'] = {}
  const files: string[] = []
  for (const { name, type, fields } of schema.collections) {
    const isView = type === 'view'
    ids[name] = await more(isView ? 'users' : name)
    for (const field of fields)
      if (field.type === 'file' && !isView)
        for (const file of await more(name, field.name)) {
          const [[id] = []] = await full.database.query(
            `SELECT id FROM ${name} WHERE ${field.name} = ${quoted(file)}`,
          )
          files.push(`/api/files/${name}/${String(id)}/${file}`)
        }
  }
  const stored = await texts(full.database)
  return {
    ids,
    files,
    emails: await more('users', 'email'),
    usernames: [
      ...(await more('users', 'username')),
      ...(await more('former_usernames', 'username')),
    ],
    isbns: await more('user_books', 'isbn'),
    removals: await more('_removals'),
    signIns: await more('_mfas'),
    codes: await more('_otps'),
    canaries: [...new Set(stored.match(/canary-\d+/g))],
  }
}

async function texts(database: Database): Promise<string> {
  let all = ''
  for (const { name, type } of schema.collections)
    if (type !== 'view') all += JSON.stringify(await database.query(`SELECT * FROM ${name}`))
  return all
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
