import { expect, test } from 'vitest'
import { withBudget, type RequestBudget } from '../database/request-budget.ts'
import { ApiError, tooManyRequests } from '../errors.ts'
import { Turns } from './turns.ts'

/** Turns whose work is ended by the test, which takes as many milliseconds as `costs`. */
function openTurns(budget = Number.POSITIVE_INFINITY, costs = 10) {
  const turns = new Turns()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const spent = new Map<string, number>()

  function budgetOf(network: string): RequestBudget {
    const charge = (milliseconds: number) =>
      void spent.set(network, (spent.get(network) ?? 0) + milliseconds)
    return {
      network,
      began: 0,
      setAccount: () => undefined,
      charge,
      refuseIfSpent() {
        if ((spent.get(network) ?? 0) >= budget) throw tooManyRequests(1000)
      },
    }
  }

  /** @param network undefined for a request without a budget */
  function ask(what: string, network: string | undefined, isForAll = false): Promise<string> {
    const payer = network === undefined ? undefined : budgetOf(network)
    return withBudget(payer, () =>
      turns.run(() => {
        begun.push(what)
        payer?.charge(costs)
        return new Promise<string>((resolve) => ends.push(() => resolve(what)))
      }, isForAll),
    )
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve))
  async function endAll() {
    do {
      ends.shift()?.()
      await pause()
    } while (ends.length)
    return begun
  }
  return { ask, begun, endAll, pause }
}

const [one, other, third] = ['192.0.2.1', '198.51.100.1', '203.0.113.1']

/** @returns the status and `Retry-After` of the refusal */
const refusal = (error: unknown) => error instanceof ApiError && [error.status, error.retryAfter]

test('R55: a network’s work runs one at a time, and others don’t wait for it', async () => {
  const { ask, begun, endAll, pause } = openTurns()
  const work = ['a1', 'a2', 'a3'].map((what) => ask(what, one))
  work.push(ask('b1', other), ask('c1', third))
  await pause()
  expect(begun).toEqual(['a1', 'b1'])
  expect(await endAll()).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
  expect(await Promise.all(work)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
})

test('R55: other requests are answered between two turns', async () => {
  const turns = new Turns()
  const seen: string[] = []
  const payer = { network: one, began: 0, setAccount() {}, charge() {}, refuseIfSpent() {} }
  const render = async (what: string) => void seen.push(what)
  await withBudget(payer, async () => {
    const work = ['first', 'second'].map((what) => turns.run(() => render(what)))
    setImmediate(() => seen.push('another request'))
    await Promise.all(work)
  })
  expect(seen).toEqual(['first', 'another request', 'second'])
})

test.each([
  ['the process itself', undefined, false],
  ['an address that many clients share', '127.0.0.1', false],
  ['a page that everyone waits for', one, true],
])('%s doesn’t wait for its own work', async (_, network, isForAll) => {
  const { ask, begun, endAll, pause } = openTurns()
  const work = ['a1', 'a2'].map((what) => ask(what, network, isForAll))
  await pause()
  expect(begun).toEqual(['a1', 'a2'])
  await endAll()
  await Promise.all(work)
})

test('R55: work that waits is refused once its network has spent its budget', async () => {
  const { ask, begun, endAll } = openTurns(20)
  const work = ['a1', 'a2', 'a3'].map((what) => ask(what, one))
  const refused = work[2]!.catch(refusal)
  work.push(ask('b1', other))
  await endAll()
  expect(await refused).toEqual([429, 1])
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1'])
})

test('R55: a network with too much waiting work is refused, and others aren’t', async () => {
  const { ask, endAll } = openTurns()
  const work = Array.from({ length: 51 }, (_, n) => ask(`a${n}`, one))
  expect(refusal(await ask('a51', one).catch((error: unknown) => error))).toEqual([429, 5])
  work.push(ask('b1', other))
  await endAll()
  expect(await Promise.all(work)).toHaveLength(52)
})
