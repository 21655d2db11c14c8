import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/**
 * Leaves 200 MB of garbage, and prints the share of memory that is left of what was there at most,
 * as soon as it is less than half or ten seconds have passed.
 */
const script = `
  import { collectWhenIdle } from ${JSON.stringify(join(import.meta.dirname, 'idle-memory.ts'))}
  let garbage = Array.from({ length: 400 }, () => Array.from({ length: 65_000 }, (_, n) => n))
  const most = process.memoryUsage.rss()
  garbage = undefined
  collectWhenIdle()
  const started = performance.now()
  const watch = setInterval(() => {
    const share = process.memoryUsage.rss() / most
    if (share > 0.5 && performance.now() - started < 10_000) return
    clearInterval(watch)
    console.log(share)
  }, 50)
`

// Takes the five seconds without a request after which garbage is collected.
test('R52: garbage goes back to the system when idle', { timeout: 30_000 }, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    script,
  ])
  expect(Number.parseFloat(stdout)).toBeLessThan(0.5)
  expect(stderr).toBe('')
})
