import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { heapUsed, withDebugger } from '#tests/fuzz/heap.ts'
import { pictureName, step, type Step } from '#tests/fuzz/records.ts'
import { send, type RawResponse, type RawRequest } from '#tests/fuzz/send.ts'
import { openServers, type Server } from '#tests/fuzz/servers.ts'
import { normalizeAnswer } from '#tests/wire/scenarios/normalize-answer.ts'
import { id } from '#tests/wire/scenarios/fixture.ts'

/** Requests: always the same few, or as many others as are wanted. */
const wanted = process.env['FUZZ_RUNS']
const runs = Number(wanted ?? 600)
const firstSeed = wanted ? Number(process.env['FUZZ_SEED'] ?? Date.now() % 1e9) : 16

/** Requests after which memory is looked at. */
const roundLength = 500

/** Milliseconds; what takes longer is asked again. */
const slow = 1000

/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const servers = await openServers(wanted ? withDebugger : {})
/** Of each server: tokens by reader, and the name of Ann's picture. */
const tokens: Record<string, string>[] = []
const pictures: string[] = []

beforeAll(async () => {
  for (const server of servers)
    tokens.push({ ann: await server.signIn('ann'), bob: await server.signIn('bob') })
})

/** Puts shelves and books of both readers there as they were, and a picture. */
async function furnish({ octavo }: Server, at: number): Promise<void> {
  const call = async (who: string, method: string, path: string, send?: FormData | object) => {
    const isForm = send instanceof FormData
    const answer = await fetch(`${octavo.url}/api/${path}`, {
      method,
      headers: {
        Authorization: tokens[at]![who]!,
        ...(!isForm && { 'Content-Type': 'application/json' }),
      },
      ...(send && { body: isForm ? send : JSON.stringify(send) }),
    })
    const text = await answer.text()
    expect(answer.ok, text).toBe(true)
    return JSON.parse(text || '{}') as { avatar: string; items: { id: string; user: string }[] }
  }
  const shelf = (who: string, short: string, visibility: string) =>
    call(who, 'POST', 'collections/bookshelves/records', {
      id: id(short),
      name: `Shelf ${short}`,
      visibility,
    })
  const book = (who: string, short: string, on: string, title: string) =>
    call(who, 'POST', 'collections/user_books/records', {
      id: id(short),
      shelf: id(on),
      title,
      status: 'reading',
      page_count: 300,
      progress: 12,
      authors: ['Mary Shelley'],
      genres: ['Gothic'],
      isbn: '9780141439518',
      rating: 8,
    })
  for (const who of ['ann', 'bob']) {
    const { items } = await call(who, 'GET', 'collections/bookshelves/records?perPage=1000')
    for (const one of items)
      if (one.user === id(who))
        await call(who, 'DELETE', `collections/bookshelves/records/${one.id}`)
    // Their ids are free again.
    await call(who, 'DELETE', 'v1/library/removed')
  }
  await shelf('ann', 's1', 'public')
  await shelf('ann', 's2', 'private')
  await shelf('bob', 't1', 'public')
  await book('ann', 'b1', 's1', 'Frankenstein')
  await book('ann', 'b2', 's2', 'Emma')
  await book('bob', 'c1', 't1', 'Persuasion')
  const form = new FormData()
  form.set('avatar', new Blob([picture], { type: 'image/png' }), 'ann.png')
  pictures[at] = (await call('ann', 'PATCH', `collections/users/records/${id('ann')}`, form)).avatar
}

/** How often each status was answered. */
const answered: Record<number, number> = {}

/** What is wrong, each kind once with the request that showed it. */
const faults = new Map<string, object>()

function add(what: string, { who, sent }: Step, seed: number, answers: RawResponse[]): void {
  const cut = (text: RawRequest['body'] = '') => Buffer.from(text).toString().slice(0, 1500)
  const found = { who, seed, ...sent, path: cut(sent.path), body: cut(sent.body) }
  const kind = `${what}: ${sent.method} ${sent.path.split(/[?/]/).slice(2, 5).join('/')}`
  if (!faults.has(kind) && faults.size < 200)
    faults.set(kind, {
      ...found,
      answers: answers.map(({ status, text }) => [status, text.slice(0, 400)]),
    })
}

function addressed({ who, sent }: Step, server: number): RawRequest {
  const token = tokens[server]![who]
  const { path, headers } = sent
  return {
    ...sent,
    path: path.replace(pictureName, pictures[server]!),
    headers: { ...(token && { Authorization: token }), ...headers },
  }
}

/** Ids and names of files that the servers think up; those of the requests end in zeros. */
const plain = (text: string) =>
  text.replace(/\b(?!\w*0{9})[a-z0-9]{15}\b/g, '#').replace(/_[a-z0-9]{10}\./g, '_#.')

/** A page is another at every look. */
function alike({ headers, text }: RawResponse): string {
  return String(headers['content-type']).startsWith('application/json')
    ? normalizeAnswer(text, plain)
    : ''
}

/**
 * Ids that the servers think up are in another order on each, and put other records on a page; an
 * answer without ids doesn't show them.
 */
const mayHaveOwnIds = ({ text }: RawResponse) =>
  text.includes('"items":') && (plain(text).includes('"id":"#"') || !text.includes('"id":'))

async function check(one: Step, seed: number): Promise<void> {
  const ask = () => Promise.all(servers.map(({ octavo }, i) => send(octavo.url, addressed(one, i))))
  const answers = await ask()
  const [here, there] = answers as [RawResponse, RawResponse]
  for (const { status } of answers) {
    answered[status] = (answered[status] ?? 0) + 1
    if (status >= 500 || status === 0) add(`failed with ${status}`, one, seed, answers)
  }
  if (here.status !== there.status) add('other status', one, seed, answers)
  else if (one.isAlike && alike(here) !== alike(there) && !answers.some(mayHaveOwnIds))
    add('other body', one, seed, answers)
  if (answers.some(({ milliseconds }) => milliseconds > slow) && (await isSlow(ask)))
    add('is slow', one, seed, answers)
}

/**
 * Whether a request always takes too long, and not because others have the processor: in the time of
 * the servers themselves.
 */
async function isSlow(ask: () => Promise<RawResponse[]>): Promise<boolean> {
  for (let tries = 0; tries < 10; tries++) {
    const before = processorTime()
    const answers = await ask()
    const isLate = answers.some(({ milliseconds }) => milliseconds > slow)
    if (!isLate || processorTime() - before < slow / 2) return false
  }
  return true
}

/** Milliseconds that both servers have worked so far. */
function processorTime(): number {
  const ticks = servers.flatMap(({ octavo }) => {
    const all = readFileSync(`/proc/${octavo.process.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return [Number(all[11]), Number(all[12])]
  })
  return ticks.reduce((sum, one) => sum + one, 0) * 10
}

test(
  'R28: hostile requests to the records do no harm, and both databases answer them alike',
  { timeout: 24 * 3_600_000 },
  async () => {
    const heaps: number[][] = []
    for (let done = 0; done < runs; done += roundLength) {
      const seed = firstSeed + done
      const numRuns = Math.min(roundLength, runs - done)
      for (const [at, server] of servers.entries()) await furnish(server, at)
      for (const one of fc.sample(step, { seed, numRuns })) await check(one, seed)
      if (!wanted) continue
      heaps.push(await Promise.all(servers.map(({ octavo }) => heapUsed(octavo))))
      const megabytes = heaps.at(-1)!.map((bytes) => (bytes / 1e6).toFixed(1))
      console.log(done + numRuns, megabytes, faults.size, JSON.stringify(answered))
      for (const [kind, fault] of faults) console.log(kind, JSON.stringify(fault))
    }
    expect(Object.fromEntries(faults)).toEqual({})
    // The caches are full after some 20,000 requests.
    const [early, late] = [heaps.slice(60, 63), heaps.slice(-3)]
    const least = (some: number[][], i: number) => Math.min(...some.map((all) => all[i]!))
    const growths = heaps.length > 90 ? servers.map((_, i) => least(late, i) / least(early, i)) : []
    expect(growths.filter((growth) => growth >= 1.3)).toEqual([])
  },
)
