import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allowed,
  hostileTexts,
  forbidden,
  operationsOf,
  undescribed,
  type Operation,
} from '#tests/fuzz/operations.ts'
import { openServers, type Server } from '#tests/fuzz/servers.ts'
import { send, type RawResponse, type RawRequest } from '#tests/fuzz/send.ts'

/** Requests of each kind to each operation: always the same few, or as many others as are wanted. */
const wanted = process.env['FUZZ_RUNS']
const seed = wanted ? Number(process.env['FUZZ_SEED'] ?? Date.now()) : 16
const numRuns = Number(wanted ?? 10)

const servers = await openServers()
const answer = await fetch(`${servers[0]!.octavo.url}/api/v1/openapi.json`)
const operations = operationsOf(await answer.json())

/** What is wrong with answers, each kind once with the request that showed it. */
class Faults {
  readonly found = new Map<string, object>()

  add(operation: Operation, what: string, sent: RawRequest, answered: RawResponse): void {
    const body = String(sent.body ?? '').slice(0, 500)
    const { status, text, milliseconds } = answered
    const told = { ...sent, body, status, text: text.slice(0, 300), milliseconds, seed }
    const kind = `${operation.name}: ${what}`
    if (!this.found.has(kind)) this.found.set(kind, told)
  }
}

describe.each(servers)('the OpenAPI document of $database', ({ octavo, signIn }: Server) => {
  const tokens: Promise<string>[] = [signIn('ann')]
  const headersOf = async (isReader: boolean): Promise<Record<string, string>> =>
    isReader ? { Authorization: await tokens[0]! } : {}

  async function ask(faults: Faults, operation: Operation, sent: RawRequest): Promise<RawResponse> {
    const answered = await send(octavo.url, sent)
    const fault = undescribed(operation, answered)
    if (fault) faults.add(operation, fault, sent, answered)
    if (answered.status >= 500 && answered.status !== 503)
      faults.add(operation, `failed with ${answered.status}`, sent, answered)
    return answered
  }

  /** Half of the requests are a reader's; but theirs that end the session. */
  async function askAll(
    faults: Faults,
    requests: (operation: Operation) => fc.Arbitrary<RawRequest> | undefined,
    check: (operation: Operation, sent: RawRequest, answered: RawResponse) => void,
  ): Promise<void> {
    for (const operation of operations) {
      const kind = requests(operation)
      for (const [i, sent] of (kind ? fc.sample(kind, { seed, numRuns }) : []).entries()) {
        const isReader = i % 2 === 0 && !operation.path.endsWith('/logout')
        const headers = { ...sent.headers, ...(await headersOf(isReader)) }
        check(operation, sent, await ask(faults, operation, { ...sent, headers }))
      }
    }
  }

  test(
    'R28: what it allows is answered as it says, and never refused as malformed',
    { timeout: 600_000 },
    async () => {
      const faults = new Faults()
      await askAll(faults, allowed, (operation, sent, answered) => {
        if ([400, 415, 422].includes(answered.status) && !operation.path.endsWith('/webhook'))
          faults.add(operation, 'refuses what is allowed', sent, answered)
      })
      expect(Object.fromEntries(faults.found)).toEqual({})
    },
  )

  test('R28: what it does not allow is refused', { timeout: 600_000 }, async () => {
    const faults = new Faults()
    await askAll(faults, forbidden, (operation, sent, answered) => {
      if (answered.status < 400 || answered.status >= 500)
        faults.add(operation, 'takes what is not allowed', sent, answered)
    })
    expect(Object.fromEntries(faults.found)).toEqual({})
  })

  test('describes the answer without a book', async () => {
    const operation = operations.find(({ path }) => path.endsWith('/isbn/{isbn}'))!
    const path = '/api/v1/book-info/isbn/9780000000002?unknown=null'
    const answered = await send(octavo.url, { method: 'GET', path, headers: {} })
    expect(answered.text).toBe('{"data":{"book":null}}')
    expect(undescribed(operation, answered)).toBeUndefined()
  })

  test('R28: no text makes an operation fail', async () => {
    const faults = new Faults()
    const headers = await headersOf(true)
    for (const operation of operations)
      if (!operation.path.endsWith('/logout'))
        for (const sent of hostileTexts(operation, seed))
          await ask(faults, operation, { ...sent, headers: { ...sent.headers, ...headers } })
    expect(Object.fromEntries(faults.found)).toEqual({})
  })

  test(
    'every operation says what is refused before it is looked at',
    { timeout: 600_000 },
    async () => {
      const faults = new Faults()
      const token = await signIn('bob')
      const cookie = `pb_auth=${encodeURIComponent(JSON.stringify({ token }))}`
      for (const operation of operations) {
        const [plain] = fc.sample(allowed(operation), { seed, numRuns: 1 }) as [RawRequest]
        const path = plain.path.split('?')[0]!
        const isWrite = operation.method !== 'GET'
        const { headers } = plain
        const refusals: [number, Partial<RawRequest>][] = [
          [414, { path: `${path}?x=${'x'.repeat(8200)}` }],
          [431, { headers: { ...headers, 'X-Long': 'x'.repeat(17_000) } }],
        ]
        if (isWrite) refusals.push([413, { body: 'x'.repeat(1024 * 1024 + 1) }])
        if (isWrite) refusals.push([415, { headers: { ...headers, 'Content-Encoding': 'gzip' } }])
        if (operation.body && !operation.isForAdministrators)
          refusals.push([415, { headers: { 'Content-Type': 'text/plain' } }])
        if (operation.isForReaders) {
          refusals.push([401, {}])
          const elsewhere = { Cookie: cookie, Origin: 'https://elsewhere.example' }
          if (isWrite) refusals.push([403, { headers: { ...headers, ...elsewhere } }])
        }
        for (const [status, part] of refusals) {
          const isReader = operation.isForReaders && ![401, 403].includes(status)
          const all = { ...(part.headers ?? headers), ...(await headersOf(isReader)) }
          const sent = { ...plain, ...part, headers: all }
          const answered = await ask(faults, operation, sent)
          if (answered.status !== status)
            faults.add(operation, `answers ${answered.status}, not ${status}`, sent, answered)
        }
      }
      expect(Object.fromEntries(faults.found)).toEqual({})
    },
  )
})

test('every operation but that of the payment provider is limited, and names no default', () => {
  const unlimited = operations.filter(({ responses }) => !('429' in responses))
  expect(unlimited.map(({ name }) => name)).toEqual(['post /stripe/webhook'])
  expect(operations.filter(({ responses }) => 'default' in responses)).toEqual([])
})
