import type { RecordModel } from 'pocketbase'
import type { UserBook } from '#shared/user-book.ts'
import { addBook, addShelf, type Reader, type Fixture } from './fixture.ts'

/** A reader with something of every kind, some of it nobody else's business. */
export interface Owner extends Reader {
  ids: Record<RecordKind, string>
}

/** Every kind of record, and whether others see it while the owner's profile is public. */
export const recordKinds = {
  'the account': { collection: 'users', others: true },
  'the profile': { collection: 'profile', others: true },
  'the settings': { collection: 'settings', others: false },
  'the subscription': { collection: 'subscriptions', others: false },
  'a public shelf': { collection: 'bookshelves', others: true },
  'a private shelf': { collection: 'bookshelves', others: false },
  'a book on a public shelf': { collection: 'user_books', others: true },
  'a book on a private shelf': { collection: 'user_books', others: false },
  'a private book on a public shelf': { collection: 'user_books', others: false },
  'a reading': { collection: 'readings', others: true },
  'a reading of a private book': { collection: 'readings', others: false },
  'a reading of a book on a private shelf': { collection: 'readings', others: false },
  'a progress log': { collection: 'progress_log', others: false },
  'an open quote': { collection: 'quotes', others: true },
  'a private quote': { collection: 'quotes', others: false },
  'a quote from a private book': { collection: 'quotes', others: false },
  'an open goal': { collection: 'goals', others: true },
  'a private goal': { collection: 'goals', others: false },
  'an activity of a private book': { collection: 'activities', others: false },
  'an activity': { collection: 'activities', others: true },
  'a hidden activity': { collection: 'activities', others: false },
  'an activity on a private shelf': { collection: 'activities', others: false },
  'an activity of a removed book': { collection: 'activities', others: false },
  'an activity of a book that moved to a private shelf': {
    collection: 'activities',
    others: false,
  },
  'an import': { collection: 'imports', others: false },
  'a row of an import': { collection: 'import_rows', others: false },
  'a connection': { collection: 'connections', others: false },
  'a book on a device': { collection: 'device_books', others: false },
  'a file of a device': { collection: 'device_files', others: false },
  'reading times': { collection: 'reading_times', others: false },
  'a listening session': { collection: 'listening_sessions', others: false },
  'quotes of a device': { collection: 'device_quotes', others: false },
  'an API token': { collection: 'api_tokens', others: false },
  'private feeds': { collection: 'private_feeds', others: false },
  'a webhook': { collection: 'webhooks', others: false },
  'a delivery of a webhook': { collection: 'webhook_deliveries', others: false },
} as const
export type RecordKind = keyof typeof recordKinds
export const recordKindNames = Object.keys(recordKinds) as RecordKind[]

/** Makes an account with something of every kind. */
export async function seedOwner(fixture: Fixture, name: string): Promise<Owner> {
  const reader = await fixture.reader(name)
  const { id, client } = reader
  const own = { filter: `user = "${id}"` }
  const open = await addShelf(reader, 'Open shelf')
  const closed = await addShelf(reader, 'Closed shelf', 'private')
  const onOpen = await addBook(reader, open.id, { title: 'Seen', isbn: '9780141439471' })
  const onClosed = await addBook(reader, closed.id, { title: 'Unseen' })
  const removed = await addBook(reader, open.id, { title: 'Removed' })
  const moved = await addBook(reader, open.id, { title: 'Moved' })
  const twice = await addBook(reader, open.id, { title: 'Told and hidden' })
  const secret = await addBook(reader, open.id, { title: 'Secret', isPrivate: true })
  const more = await seedReading(reader, { onOpen, onClosed, secret })
  const events = await client.collection('activities').getFullList<RecordModel>(own)
  const of = (book: { id: string }) => events.find((event) => event['book'] === book.id)?.id ?? ''
  await client.collection('activities').update(of(twice), { isPrivate: true })
  await client.collection('user_books').delete(removed.id)
  await client.collection('user_books').update(moved.id, { shelf: closed.id })
  const connection = await client
    .collection('connections')
    .create({ name: 'Kobo', kind: 'koreader' })
  const feeds = await client.collection('private_feeds').create({})
  const token = await client.collection('api_tokens').create({ name: 'Script', scope: 'read' })
  const webhook = await client
    .collection('webhooks')
    .create({ url: 'https://example.org/hook', events: ['book.added'] })
  // What a client can't make in this process: Stripe does, threads that read files, or devices.
  const made = await fixture.records.write(async (tx) => {
    const subscription = await tx.create('subscriptions', { user: id, status: 'canceled' })
    const sent = await tx.create('imports', { user: id, state: 'waiting' })
    const row = await tx.create('import_rows', { import: sent.id, number: 1, state: 'matched' })
    const values = { user: id, connection: connection.id, document: 'a1', percentage: 0.5 }
    const device = await tx.create('device_books', { ...values, title: 'Seen', device: 'Kobo' })
    const file = await tx.create('device_files', { user: id, path: 'statistics.sqlite3' })
    const times = await tx.create('reading_times', { user: id, document: 'a1', day: '2026-03-01' })
    const heard = await tx.create('listening_sessions', {
      user: id,
      document: 'a1',
      session: 'one',
    })
    const marked = await tx.create('device_quotes', { user: id, document: 'a1' })
    const delivery = await tx.create('webhook_deliveries', {
      user: id,
      webhook: webhook.id,
      event: 'book.added',
      state: 'delivered',
    })
    return {
      'a book on a device': device.id,
      'a file of a device': file.id,
      'reading times': times.id,
      'a listening session': heard.id,
      'quotes of a device': marked.id,
      'a delivery of a webhook': delivery.id,
      'the subscription': subscription.id,
      'an import': sent.id,
      'a row of an import': row.id,
    }
  })
  const settings = await client.collection('settings').getFirstListItem(`user = "${id}"`)
  return {
    ...reader,
    ids: {
      'a connection': connection.id,
      'an API token': token.id,
      'private feeds': feeds.id,
      'a webhook': webhook.id,
      'the account': id,
      'the profile': id,
      'the settings': settings.id,
      'a public shelf': open.id,
      'a private shelf': closed.id,
      'a book on a public shelf': onOpen.id,
      'a book on a private shelf': onClosed.id,
      'a private book on a public shelf': secret.id,
      'an activity of a private book': of(secret),
      ...more,
      ...made,
      'an activity': of(onOpen),
      'a hidden activity': of(twice),
      'an activity on a private shelf': of(onClosed),
      'an activity of a removed book': of(removed),
      'an activity of a book that moved to a private shelf': of(moved),
    },
  }
}

/** What a reader knows about three books: one that others see and two that they don't. */
async function seedReading(
  { client, id }: Reader,
  { onOpen, onClosed, secret }: Record<'onOpen' | 'onClosed' | 'secret', UserBook>,
) {
  await client.collection('user_books').update(onOpen.id, { progress: 12 })
  const own = { filter: `user = "${id}"` }
  const readings = await client.collection('readings').getFullList<RecordModel>(own)
  const readingOf = ({ book_key }: UserBook) =>
    readings.find((reading) => reading['book_key'] === book_key)?.id ?? ''
  const log = await client.collection('progress_log').getFirstListItem<RecordModel>('')
  const quote = ({ book_key }: UserBook, isPrivate: boolean) =>
    client.collection('quotes').create({ book_key, text: 'It was a dark night', isPrivate })
  const goal = (year: number, isPrivate: boolean) =>
    client.collection('goals').create({ year, kind: 'books', target: 12, isPrivate })
  return {
    'a reading': readingOf(onOpen),
    'a reading of a private book': readingOf(secret),
    'a reading of a book on a private shelf': readingOf(onClosed),
    'a progress log': log.id,
    'an open quote': (await quote(onOpen, false)).id,
    'a private quote': (await quote(onOpen, true)).id,
    'a quote from a private book': (await quote(secret, false)).id,
    'an open goal': (await goal(2025, false)).id,
    'a private goal': (await goal(2026, true)).id,
  }
}
