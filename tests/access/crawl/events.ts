/** What strangers hear while readers write where nobody sees it. */

import { schema } from '#server/collections/schema.ts'
import { subscribe, type Subscriber } from '#tests/access/subscriber.ts'
import { path } from '#tests/access/fixture.ts'
import { send, type Viewer, type TwinServer } from './send.ts'
import type { Twins } from './twins.ts'

const expand = 'user.bookshelves_via_user.user_books_via_shelf,shelf,book,user_books_via_shelf'

/** Subscriptions to all there is, and to single records that are hidden. */
function topics({ hidden }: Twins): string[] {
  const queries = [
    {},
    { expand, fields: '*,expand.*' },
    { filter: 'user.bookshelves_via_user.name ?!~ "canary"' },
    { filter: 'user.id != "" || shelf.name ~ "canary" || id != ""' },
  ]
  return schema.collections.flatMap(({ name }) => [
    ...queries.map((query) => {
      const options = encodeURIComponent(JSON.stringify({ query }))
      return `${name}/*${Object.keys(query).length ? `?options=${options}` : ''}`
    }),
    ...(hidden.ids[name] ?? []).slice(0, 3).map((id) => `${name}/${id}`),
  ])
}

/**
 * Writes what is hidden on the side that has it, then on both what everybody sees.
 *
 * @returns what each stranger heard, by side, without new ids and dates
 */
export async function collectEvents(
  sides: Record<'bare' | 'full', TwinServer>,
  strangers: readonly Viewer[],
  twins: Twins,
): Promise<Record<'bare' | 'full', string[][]>> {
  const all = topics(twins)
  const open = (side: TwinServer) =>
    Promise.all(strangers.map(({ token }) => subscribe(side, token || undefined, all)))
  const [bare, full] = [await open(sides.bare), await open(sides.full)]
  await writeHidden(sides.full, twins)
  return { bare: await heard(sides.bare, bare, twins), full: await heard(sides.full, full, twins) }
}

/** Writes what everybody sees, and collects what is heard until a mark after each write. */
async function heard(side: TwinServer, listeners: Subscriber[], { readers, open }: Twins) {
  const write = writer(side, readers.owner)
  const mark = writer(side, readers.stranger)
  const events = listeners.map((): string[] => [])
  for (const [i, [method, book, body]] of (
    [
      ['PATCH', open.books[1], { rating: 5, status: 'completed' }],
      ['DELETE', open.books[2], undefined],
    ] as const
  ).entries()) {
    await write(method, path('user_books', book), body)
    const name = `Mark ${i}`
    await mark('POST', path('bookshelves'), { name, visibility: 'public' })
    for (const [who, listener] of listeners.entries())
      for (const { topic, text, record } of await listener.until(name))
        if (!record.name?.startsWith('Mark')) events[who]!.push(`${topic} ${withoutChance(text)}`)
  }
  for (const listener of listeners) await listener.close()
  return events.map((some) => some.toSorted())
}

/** Entries are made on each side, with an id and a time of their own. */
function withoutChance(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d /.test(value)) return 'DATE'
    const isEntry =
      typeof value === 'object' && Reflect.get(value ?? {}, 'collectionName') === 'activities'
    return isEntry ? { ...value, id: 'NEW' } : value
  })
}

function writer(side: TwinServer, { token }: { token: string }) {
  return async (
    method: string,
    address: string,
    body?: object,
  ): Promise<Record<string, string>> => {
    const viewer = { name: 'the owner', token }
    const { status, body: text } = await send(side, viewer, {
      method,
      path: address,
      ...(body && { body }),
    })
    if (status >= 300) throw new Error(`${method} ${address}: ${status} ${text}`)
    return (text ? JSON.parse(text) : {}) as Record<string, string>
  }
}

async function writeHidden(side: TwinServer, { unseen, readers, open }: Twins): Promise<void> {
  for (const reader of [unseen[0]!, unseen[1]!, readers.owner]) {
    const write = writer(side, reader)
    const visibility = reader === readers.owner ? 'private' : 'public'
    const shelf = await write('POST', path('bookshelves'), { name: 'canary of events', visibility })
    const on = { shelf: shelf['id'], status: 'reading', page_count: 100 }
    const book = await write('POST', path('user_books'), { ...on, title: 'canary of a book' })
    const another = await write('POST', path('user_books'), { ...on, title: 'canary of another' })
    await write('PATCH', path('user_books', book['id']), { progress: 50, rating: 4 })
    await write('PATCH', path('bookshelves', shelf['id']), { name: 'canary again' })
    await write('DELETE', path('user_books', another['id']))
    await write('DELETE', path('bookshelves', shelf['id']))
  }
  // A private book comes to a shelf that everybody sees, and goes.
  const write = writer(side, readers.owner)
  const form = { shelf: open.shelves[0], title: 'canary in private', status: 'reading' }
  const book = await write('POST', path('user_books'), { ...form, isPrivate: true })
  const address = path('user_books', book['id'])
  await write('PATCH', address, { progress: 50, notes: 'canary of a note' })
  await write('PATCH', address, { status: 'completed', rating: 4 })
  const quote = { book_key: book['book_key'], text: 'canary of a quote', isPrivate: false }
  await write('POST', path('quotes'), quote)
  await write('DELETE', address)
  const hidden = writer(side, unseen[0]!)
  await hidden('PATCH', path('users', unseen[0]!.id), { name: 'canary of a name' })
}
