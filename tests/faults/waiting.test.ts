import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, test } from 'vitest'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openInstallation, openOn } from './installation.ts'

const clients = 300

// Each mostly waits, as long as Octavo does.
describe.concurrent('what is waited for is refused in time', () => {
  // 16 s: Octavo waits ten for the rest of a request, and looks every five.
  test('R19: who says half a sentence and waits keeps nobody else out, and is parted with', async ({
    expect,
    onTestFinished,
  }) => {
    const octavo = await startOctavo()
    onTestFinished(async () => void (await octavo.stop()))
    const { hostname, port } = new URL(octavo.url)
    const endings = Array.from({ length: clients }, async (_, n) => {
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      const said: string[] = []
      socket.on('data', (piece) => said.push(piece.toString()))
      await once(socket, 'connect')
      // Some say nothing at all.
      if (n % 3) socket.write('POST /api/collections/users/records HTTP/1.1\r\nHost: here\r\n')
      await once(socket, 'close')
      return said.join('')
    })
    for (const path of ['/', '/api/health', '/api/v1/explore'])
      expect([path, (await fetch(octavo.url + path)).status]).toEqual([path, 200])
    const ends = await Promise.all(endings)
    for (const end of ends) expect(end).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
    expect((await fetch(octavo.url)).status).toBe(200)
  })

  // 7 s: a write waits five seconds for the lock before it is refused.
  test('R6: answers reads and holds or refuses writes while another program locks the database', async ({
    expect,
    onTestFinished,
  }) => {
    const { dataDir, post, start } = await openInstallation('SQLite', {}, onTestFinished)
    const octavo = await start()
    const client = signedIn(octavo, await signUp(octavo, post))
    const shelves = client.collection('bookshelves')
    // It waits for what Octavo is writing at the moment.
    const other = new DatabaseSync(join(dataDir, 'octavo.db'), { timeout: 10_000 })

    other.exec('BEGIN EXCLUSIVE')
    const waiting = shelves.create({ name: 'Patience', visibility: 'public' })
    for (const path of ['/', '/api/health', '/api/v1/users'])
      expect([path, (await fetch(octavo.url + path)).status]).toEqual([path, 200])
    other.exec('ROLLBACK')
    expect(await waiting).toMatchObject({ name: 'Patience' })

    other.exec('BEGIN EXCLUSIVE')
    const refused = await fetch(`${octavo.url}/api/collections/bookshelves/records`, {
      method: 'POST',
      headers: { Authorization: client.authStore.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'In vain', visibility: 'public' }),
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toEqual({
      data: {},
      message: 'The library is busy. Please try again in a moment.',
      status: 503,
    })
    other.close()
    await shelves.create({ name: 'Again', visibility: 'public' })
    const names = (await shelves.getFullList()).map((shelf) => String(shelf['name']))
    expect(names.toSorted()).toEqual(['Again', 'Patience'])
  })

  // 12 s: waits for the lock as long as Octavo does before it refuses.
  test('R8: refuses within seconds what waits for a lock in PostgreSQL', async ({
    expect,
    onTestFinished,
  }) => {
    const url = await newMigratedUrl(onTestFinished)
    const { octavo, post } = await openOn(url, onTestFinished)
    const client = signedIn(octavo, await signUp(octavo, post))
    const shelves = client.collection('bookshelves')
    const locked = new Client(url)
    await locked.connect()
    onTestFinished(() => locked.end())

    await locked.query('BEGIN; LOCK TABLE bookshelves')
    const asked = [
      shelves.create({ name: 'Held up', visibility: 'public' }),
      shelves.getFullList(),
      shelves.getOne('nosuchshelfhere'),
    ]
    const ends = Promise.allSettled(asked)
    const batch = client.createBatch()
    batch.collection('bookshelves').create({ name: 'Held up, too', visibility: 'public' })
    // Its time is over, whatever it waited for: that is how a client knows it.
    const response = { data: {}, message: 'Batch transaction failed.', status: 400 }
    const late = batch.send().catch((error: unknown) => error)
    expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
    expect(await late).toMatchObject({ status: 400, response })
    for (const end of await ends)
      expect(end).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    await locked.query('ROLLBACK')
    await shelves.create({ name: 'Let go', visibility: 'public' })
    const names = (await shelves.getFullList()).map(({ name }) => String(name))
    expect(names).toContain('Let go')
    expect(names.filter((name) => name.startsWith('Held up'))).toEqual([])
  })
})
