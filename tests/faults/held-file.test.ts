import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openInstallation } from './installation.ts'

// 7 s: a write waits five seconds for the lock before it is refused.
test('R6: answers reads and holds or refuses writes while another program locks the database', async () => {
  const { dataDir, post, start } = await openInstallation('SQLite')
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
