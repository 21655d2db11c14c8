/** Two copies of one library; one of them also has everything that strangers must not see. */

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStorage, openPostgres, openSqlite, type Database } from '#records/index.ts'
import { addBook, addShelf, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import type { OnCleanup } from '#tests/cleanup.ts'
import { copyPostgres, newPostgresUrl } from '#tests/databases.ts'
import {
  addHidden,
  svgPicture,
  findHidden,
  reviewed,
  sharedIsbns,
  secretlySharedIsbn,
  type Hidden,
} from './hidden.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Where one copy is kept: what a process needs to serve it. */
export interface TwinLocation {
  dataDir: string
  databaseUrl: string | undefined
}

export interface Twins {
  bare: TwinLocation
  full: TwinLocation
  /** Readers that both copies have, with the token of one session each. */
  readers: Record<'stranger' | 'owner', Account>
  /** Readers whom nobody sees, of the full copy alone. */
  unseen: Account[]
  /** What strangers may see in both copies. */
  open: { books: string[]; shelves: string[] }
  hidden: Hidden
}

export interface Account {
  id: string
  username: string
  email: string
  token: string
}

/**
 * Makes a library, copies it, and hides things in one of the copies. What both copies have in common
 * has the same ids and dates in both.
 *
 * @param onCleanup takes what removes everything again
 */
export async function makeTwins(dialect: Dialect, onCleanup: OnCleanup): Promise<Twins> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-twins-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  const bare: TwinLocation = {
    dataDir: join(folder, 'bare'),
    databaseUrl: dialect === 'postgres' ? await newPostgresUrl(onCleanup) : undefined,
  }
  const dataDir = join(folder, 'full')
  mkdirSync(bare.dataDir)
  const { readers, open } = await work(bare, addOpen)
  cpSync(bare.dataDir, dataDir, { recursive: true })
  const databaseUrl = bare.databaseUrl && (await copyPostgres(bare.databaseUrl, onCleanup))
  const full = { dataDir, databaseUrl }
  await work(bare, dropUnseen)
  const unseen = await work(full, async (fixture) =>
    (await addHidden(fixture, enter(fixture, readers.owner))).map(known),
  )
  const hidden = await work(bare, (one) => work(full, (other) => findHidden(other, one)))
  return { bare, full, readers, unseen, open, hidden }
}

async function work<T>(place: TwinLocation, todo: (fixture: Fixture) => Promise<T>): Promise<T> {
  const database = await openPlace(place)
  const fixture = await openFixture(database, undefined, diskStorage(join(place.dataDir, 'files')))
  try {
    return await todo(fixture)
  } finally {
    await fixture.close()
    await database.close()
  }
}

async function openPlace({ dataDir, databaseUrl }: TwinLocation): Promise<Database> {
  return databaseUrl ? openPostgres(databaseUrl) : openSqlite(join(dataDir, 'octavo.db'))
}

/** The reader in a copy of the library they signed up to. */
function enter(fixture: Fixture, { token, ...reader }: Account): Reader {
  const client = fixture.visitor()
  client.authStore.save(token)
  return { ...reader, client }
}

async function addOpen(fixture: Fixture): Promise<Pick<Twins, 'readers' | 'open'>> {
  const owner = await fixture.reader('owner')
  const stranger = await fixture.reader('stranger')
  const shelf = await addShelf(owner, 'Open shelf')
  const books = []
  for (const [i, isbn] of [...sharedIsbns, ''].entries())
    books.push(await addBook(owner, shelf.id, { title: `Seen ${i}`, isbn, rating: 9 - i }))
  const cover = await owner.client.collection('user_books').create({
    shelf: shelf.id,
    title: 'With a cover',
    status: 'planning',
    image: svgPicture('open'),
  })
  await owner.client
    .collection('users')
    .update(owner.id, { name: 'O', avatar: svgPicture('owner') })
  // An entry that its reader hides, about a book that everybody sees.
  const activities = owner.client.collection('activities')
  const entry = await activities.getFirstListItem(`book = "${books[0]!.id}"`)
  await activities.update(entry.id, { isPrivate: true })

  const own = await addShelf(stranger, 'Of the stranger')
  for (const isbn of [...sharedIsbns, secretlySharedIsbn])
    await addBook(stranger, own.id, { title: `Shared ${isbn}`, isbn, rating: 8 })
  const gone = await addBook(stranger, own.id, { title: 'Removed by the stranger' })
  await stranger.client.collection('user_books').delete(gone.id)
  await addShelf(stranger, 'Closed to others', 'private')
  const third = await fixture.reader('third')
  const more = await addShelf(third, 'Third shelf')
  await addBook(third, more.id, { title: 'Seen elsewhere', isbn: sharedIsbns[0], rating: 3 })
  for (const [reader, on] of [
    [third, more],
    [stranger, own],
    [owner, shelf],
  ] as const)
    await addBook(reader, on.id, { ...reviewed, rating: 7, review: 'Seen by everybody' })
  return {
    readers: { owner: known(owner), stranger: known(stranger) },
    open: { books: [...books, cover].map(({ id }) => id), shelves: [shelf.id, own.id] },
  }
}

const known = ({ id, username, email, client }: Reader): Account => ({
  id,
  username,
  email,
  token: client.authStore.token,
})

/** The bare copy has no entry that its reader hides. */
async function dropUnseen({ database }: Fixture): Promise<void> {
  await database.transaction((tx) => tx.query('DELETE FROM activities WHERE "isPrivate"'))
}
