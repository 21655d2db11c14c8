import type { RecordModel } from 'pocketbase'
import { addBook, addShelf, type Reader, type World } from './world.ts'

/** A reader with something of every kind, some of it nobody else's business. */
export interface Owner extends Reader {
  ids: Record<Thing, string>
}

/** Every kind of record, and whether others see it while the owner's profile is public. */
export const things = {
  'the account': { collection: 'users', others: true },
  'the profile': { collection: 'profile', others: true },
  'the settings': { collection: 'settings', others: false },
  'the subscription': { collection: 'subscriptions', others: false },
  'a public shelf': { collection: 'bookshelves', others: true },
  'a private shelf': { collection: 'bookshelves', others: false },
  'a book on a public shelf': { collection: 'user_books', others: true },
  'a book on a private shelf': { collection: 'user_books', others: false },
  'an activity': { collection: 'activities', others: true },
  'a hidden activity': { collection: 'activities', others: false },
  'an activity on a private shelf': { collection: 'activities', others: false },
  'an activity of a removed book': { collection: 'activities', others: false },
  'an activity of a book that moved to a private shelf': {
    collection: 'activities',
    others: false,
  },
} as const
export type Thing = keyof typeof things
export const thingNames = Object.keys(things) as Thing[]

/** Makes an account with something of every kind. */
export async function furnish(world: World, name: string): Promise<Owner> {
  const reader = await world.reader(name)
  const { id, client } = reader
  const own = { filter: `user = "${id}"` }
  const open = await addShelf(reader, 'Open shelf')
  const closed = await addShelf(reader, 'Closed shelf', 'private')
  const onOpen = await addBook(reader, open.id, { title: 'Seen', isbn: '9780141439471' })
  const onClosed = await addBook(reader, closed.id, { title: 'Unseen' })
  const removed = await addBook(reader, open.id, { title: 'Removed' })
  const moved = await addBook(reader, open.id, { title: 'Moved' })
  const twice = await addBook(reader, open.id, { title: 'Told and hidden' })
  const events = await client.collection('activities').getFullList<RecordModel>(own)
  const of = (book: { id: string }) => events.find((event) => event['book'] === book.id)?.id ?? ''
  await client.collection('activities').update(of(twice), { isPrivate: true })
  await client.collection('user_books').delete(removed.id)
  await client.collection('user_books').update(moved.id, { shelf: closed.id })
  const { subscription } = await world.records.write(async (tx) => ({
    subscription: await tx.create('subscriptions', { user: id, status: 'canceled' }),
  }))
  const settings = await client.collection('settings').getFirstListItem(`user = "${id}"`)
  return {
    ...reader,
    ids: {
      'the account': id,
      'the profile': id,
      'the settings': settings.id,
      'the subscription': subscription.id,
      'a public shelf': open.id,
      'a private shelf': closed.id,
      'a book on a public shelf': onOpen.id,
      'a book on a private shelf': onClosed.id,
      'an activity': of(onOpen),
      'a hidden activity': of(twice),
      'an activity on a private shelf': of(onClosed),
      'an activity of a removed book': of(removed),
      'an activity of a book that moved to a private shelf': of(moved),
    },
  }
}
