import { burst, getRequest, type Burst } from './load.ts'
import type { ServerProcess } from './server-process.ts'
import { median, whole } from './table.ts'

export const connections = 16
/** Whether each scenario only shows that it works; its figures say nothing then. */
export const isShort = process.argv.includes('--short')
export const rounds = isShort ? 1 : 5
const secondsEach = isShort ? 0.05 : 1
/**
 * Requests that nobody looks at, of each server: code is compiled well only once it has run so often,
 * which with one connection takes a quarter of a minute.
 */
const warmUp = isShort ? 1 : 20_000

export interface Measured extends Burst {
  /** Requests per second. */
  rate: number
  /** Microseconds of the server's processor time a request. */
  cpu: number
}

/** What is asked for, over and over. */
export type RequestSource = (server: ServerProcess) => () => Buffer

export function getFrom(path: string): RequestSource {
  return (server) => getRequest(new URL(server.origin + path))
}

export async function measure(
  server: ServerProcess,
  ask: RequestSource,
  many: number,
): Promise<Measured> {
  const before = server.cpuSeconds()
  const result = await burst(new URL(server.origin), many, secondsEach, ask(server))
  return {
    ...result,
    rate: result.requests / result.seconds,
    cpu: ((server.cpuSeconds() - before) / result.requests) * 1e6,
  }
}

export const comparisonHead = [
  'Scenario',
  'Octavo req/s',
  'ceiling req/s',
  'ratio',
  'Octavo µs',
  'ceiling µs',
  'ratio by µs',
]

/** Asks without looking, as often as it takes until the server is as quick as it gets. */
export async function warm(server: ServerProcess, ask: RequestSource, many: number): Promise<void> {
  for (let asked = 0; asked < warmUp;)
    asked += (await burst(new URL(server.origin), many, secondsEach, ask(server))).requests
}

/** Requests per second and processor time of both, each with its ratio. */
export async function compare(
  ask: RequestSource,
  candidate: ServerProcess,
  ceiling: ServerProcess,
  many = connections,
): Promise<string[]> {
  const pairs: { ours: Measured; theirs: Measured }[] = []
  for (const server of [candidate, ceiling]) await warm(server, ask, many)
  for (let round = 0; round < rounds; round++) {
    // By turns, so that both meet the same weather.
    const ours = await measure(candidate, ask, many)
    const theirs = await measure(ceiling, ask, many)
    pairs.push({ ours, theirs })
  }
  const over = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value))
  return [
    whole(over(({ ours }) => ours.rate)),
    whole(over(({ theirs }) => theirs.rate)),
    over(({ ours, theirs }) => ours.rate / theirs.rate).toFixed(2),
    whole(over(({ ours }) => ours.cpu)),
    whole(over(({ theirs }) => theirs.cpu)),
    over(({ ours, theirs }) => theirs.cpu / ours.cpu).toFixed(2),
  ]
}
