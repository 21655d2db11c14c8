import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

/** A line to a PostgreSQL server that can be cut, as when the server or the network goes away. */
async function openLine(url: string) {
  const { searchParams, pathname } = new URL(url)
  const socket = join(searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const ends = new Set<Socket>()
  const line = createServer((here) => {
    const there = connect(socket)
    for (const end of [here, there]) {
      ends.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        ends.delete(end)
        here.destroy()
        there.destroy()
      })
    }
    here.pipe(there).pipe(here)
  })
  const open = (port: number) =>
    new Promise<void>((resolve) => line.listen(port, '127.0.0.1', resolve))
  await open(0)
  const { port } = line.address() as AddressInfo
  const cut = () =>
    new Promise<void>((resolve) => {
      line.close(() => resolve())
      for (const end of ends) end.destroy()
    })
  onTestFinished(() => (line.listening ? cut() : undefined))
  return { url: `postgres://octavo@127.0.0.1:${port}${pathname}`, cut, mend: () => open(port) }
}

test('R8: loses nothing when PostgreSQL goes away, and recovers when it is back', async () => {
  const line = await openLine(await newMigratedUrl())
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({
    DATABASE_URL: line.url,
    SMTP_URL: post.url,
    PLAN_DEFAULT: 'premium',
  })
  onTestFinished(async () => void (await octavo.stop()))
  const client = signedIn(octavo, await signUp(octavo, post))
  const shelves = client.collection('bookshelves')
  const kept: string[] = []
  const add = async (name: string) =>
    kept.push((await shelves.create({ name, visibility: 'public' })).id)
  const away = {
    status: 503,
    response: {
      data: {},
      message: 'The library is busy. Please try again in a moment.',
      status: 503,
    },
  }

  for (let round = 0; round < 3; round++) {
    // Cut in the middle of writes: what was answered is there, what failed says it may be tried again.
    const writing = Array.from({ length: 8 }, (_, n) => add(`Round ${round}, shelf ${n}`))
    const ends = Promise.allSettled(writing)
    await Promise.race(writing)
    await line.cut()
    const failed = (await ends).flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(failed).toEqual(failed.map(() => expect.objectContaining(away)))
    await expect(add('Nowhere')).rejects.toMatchObject(away)
    await expect(shelves.getFullList()).rejects.toMatchObject(away)
    expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
    await line.mend()
    await expect
      .poll(() => add(`After ${round}`).catch(() => 'away'), { timeout: 20_000 })
      .not.toBe('away')
  }
  const stored = (await shelves.getFullList()).map(({ id }) => id)
  expect(stored).toEqual(expect.arrayContaining(kept))
})

// 12 s: waits for the lock as long as Octavo does before it refuses.
test('R8: refuses within seconds what waits for a lock in PostgreSQL', async () => {
  const url = await newMigratedUrl()
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const octavo = await startOctavo({ DATABASE_URL: url, SMTP_URL: post.url })
  onTestFinished(async () => void (await octavo.stop()))
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
