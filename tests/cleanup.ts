import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Registers a clean-up. */
export type OnCleanup = (cleanUp: () => Promise<void> | void) => void

/**
 * Clean-ups of a suite; call it while the suite is declared. One that a test registers runs at the end
 * of that test, any other at the end of the suite, even when setting the suite up failed or timed out.
 */
export function suiteCleanup(): OnCleanup {
  const cleanUps: Parameters<OnCleanup>[0][] = []
  let hasEnded = false
  afterAll(async () => {
    hasEnded = true
    const failures: unknown[] = []
    for (const cleanUp of cleanUps.toReversed())
      await Promise.try(cleanUp).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'some clean-ups failed')
  })
  return (cleanUp) => {
    if (TestRunner.getCurrentTest()) onTestFinished(cleanUp)
    else if (hasEnded) void cleanUp()
    else cleanUps.push(cleanUp)
  }
}
