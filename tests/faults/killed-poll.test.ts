import { once } from 'node:events'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { AudiobookshelfServer, audiobookshelfKey } from '#tests/audiobookshelf.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { check13 } from '#shared/isbn.ts'
import { engines, openInstallation } from './installation.ts'

const kills = 4
const books = 20

/** Days on which each book was heard, for an hour each. */
const days = ['2026-03-02', '2026-03-03', '2026-03-09']

// 10 s: the server starts five times.
test.for(engines)(
  'what is read from a service while the server is killed is there once (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    // All of them together leave books to be read.
    const moment = fc.integer({ min: 2, max: books / kills })
    const moments = fc.array(moment, { minLength: kills, maxLength: kills })
    const [at] = fc.sample(moments, { seed, numRuns: 1 })
    console.log(`KILL_SEED=${seed} kills at ${at!.join(', ')} (${engine})`)
    const server = new AudiobookshelfServer()
    await server.listen()
    const { post, start } = await openInstallation(engine, { CONNECTION_NETWORKS: '127.0.0.0/8' })
    let octavo = await start()
    const token = await signUp(octavo, post, 'listener')
    const shelf = await signedIn(octavo, token)
      .collection('bookshelves')
      .create({ name: 'Shelf', visibility: 'private' })
    for (let n = 0; n < books; n++) {
      const digits = `9780141${String(n).padStart(5, '0')}`
      const isbn = digits + check13(digits)
      const title = `Volume ${n}`
      await signedIn(octavo, token)
        .collection('user_books')
        .create({ shelf: shelf.id, status: 'planning', title, authors: [], isbn, page_count: 90 })
      server.add({ id: `item-${n}`, title, authors: [], duration: 10_800, isbn })
      for (const day of days)
        server.play(`item-${n}`, { id: `${n}-${day}`, at: `${day}T12:00:00Z`, minutes: 60 })
    }
    const { id } = await signedIn(octavo, token).collection('connections').create({
      kind: 'audiobookshelf',
      name: 'Home',
      address: server.url,
      token: audiobookshelfKey,
      paused: true,
    })
    /** Has the service read at once, which a killed process has claimed for a while. */
    const resume = async () => {
      const connection = signedIn(octavo, token).collection('connections')
      await connection.update(id, { paused: true })
      await connection.update(id, { paused: false })
    }
    for (const requests of at!) {
      server.asked = []
      await resume()
      const isAsked = () => server.asked.length >= requests
      await vi.waitUntil(isAsked, { timeout: 60_000, interval: 1 })
      const ended = once(octavo.process, 'exit')
      octavo.process.kill('SIGKILL')
      await ended
      octavo = await start()
    }
    await resume()
    const all = (collection: string) => signedIn(octavo, token).collection(collection).getFullList()
    const isRead = async () => {
      const found = await all('readings')
      return found.filter(({ outcome }) => outcome === 'finished').length >= books
    }
    await vi.waitUntil(isRead, { timeout: 60_000, interval: 50 })
    const log = await all('progress_log')
    expect(log).toHaveLength(books * days.length)
    expect(log.every(({ minutes }) => minutes === 60)).toBe(true)
    const readings = await all('readings')
    expect(readings).toHaveLength(books)
    for (const one of readings)
      expect(one).toMatchObject({ started: days[0], finished: days.at(-1), outcome: 'finished' })
    expect(await all('listening_sessions')).toHaveLength(books * days.length)
    await server.close()
  },
)
