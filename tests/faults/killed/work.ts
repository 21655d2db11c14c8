import type { ClientResponseError } from 'pocketbase'
import { expect } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'

/** A reader's requests that a kill interrupts. */
export interface Work {
  /** Goes on until the connection is cut. */
  begin(octavo: Octavo): UnderWay
  /** Asserts, after the next start, that nothing is lost and nothing is half done. */
  expectKept(octavo: Octavo): Promise<void>
}

export interface UnderWay {
  /** Resolves once so much was done that the server may be killed. */
  enough: Promise<void>
  /** Resolves when nobody is at work any more. */
  over: Promise<void>
}

/** Has several work at once, each of whom ends with an error: the connection that was cut. */
export function untilCut(
  octavo: Octavo,
  workers: number,
  work: (isEnough: () => void, worker: number) => Promise<never>,
): UnderWay {
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const ends = Array.from({ length: workers }, (_, worker) =>
    work(resolve, worker).catch((error: ClientResponseError) => error),
  )
  const over = Promise.all(ends).then((failures) =>
    expect(failures, octavo.output()).toEqual(
      failures.map(() => expect.objectContaining({ status: 0 })),
    ),
  )
  return { enough, over }
}
