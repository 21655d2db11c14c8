import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { TokenBuckets, ClientBudget } from './token-buckets.ts'

function openPurse() {
  let time = 0
  const now = () => time
  const buckets = {
    networks: new TokenBuckets({ points: 1000, seconds: 10 }, now),
    accounts: new TokenBuckets({ points: 500, seconds: 10 }, now),
  }
  const ask = (network: string, cost: number, account?: string) => {
    const payer = new ClientBudget(buckets, network)
    payer.refuseIfSpent()
    if (account) payer.setAccount(account)
    payer.charge(cost)
  }
  const refusal = (network: string, account?: string) => {
    try {
      ask(network, 0, account)
    } catch (error) {
      return error instanceof ApiError ? [error.status, error.retryAfter] : error
    }
    return undefined
  }
  const spendAtOnce = (network: string, cost: number) => {
    const payer = new ClientBudget(buckets, network)
    payer.charge(cost)
    payer.refuseIfSpent()
  }
  return { ask, refusal, spendAtOnce, wait: (seconds: number) => (time += seconds * 1000) }
}

test('R43: a client that has spent its budget is refused until some of it is refilled', () => {
  const { ask, refusal, wait } = openPurse()
  ask('a', 999)
  expect(refusal('a')).toBeUndefined()
  ask('a', 301)
  expect(refusal('a')).toEqual([429, 4])
  expect(refusal('b')).toBeUndefined()
  ask('b', 1000)
  expect(refusal('b')).toEqual([429, 1])
  wait(2)
  expect(refusal('a')).toEqual([429, 2])
  wait(2)
  expect(refusal('a')).toBeUndefined()
  wait(1000)
  ask('a', 999)
  expect(refusal('a')).toBeUndefined()
})

test('R43: a budget is overdrawn at most by its size, and a clock set back refills nothing', () => {
  const { ask, refusal, spendAtOnce, wait } = openPurse()
  ask('a', 1_000_000)
  ask('b', 1)
  expect(refusal('a')).toEqual([429, 11])
  wait(-3600)
  expect(refusal('a')).toEqual([429, 11])
  expect(refusal('b')).toBeUndefined()
  wait(11)
  expect(refusal('a')).toBeUndefined()
  expect(() => spendAtOnce('c', 1_000_000)).toThrow(expect.objectContaining({ retryAfter: 11 }))
})

test('R43: an account is charged across all its networks, and a network for all its accounts', () => {
  const { ask, refusal } = openPurse()
  ask('a', 300, 'ann')
  ask('b', 300, 'ann')
  expect(refusal('c', 'ann')).toEqual([429, 3])
  expect(refusal('c', 'ben')).toBeUndefined()
  ask('a', 400, 'ben')
  ask('a', 400, 'cat')
  expect(refusal('a', 'dan')).toEqual([429, 2])
})

test('R43: with very many clients, the least recently seen are forgotten', () => {
  const { ask, refusal } = openPurse()
  ask('a', 2000)
  ask('b', 2000)
  for (let n = 0; n < 9_999; n++) ask(`n${n}`, 0)
  expect(refusal('b')).toEqual([429, 11])
  expect(refusal('a')).toBeUndefined()
})
