import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Other C libraries give memory back in their own ways. */
const { glibcVersionRuntime } = (process.report.getReport() as { header: object }).header as {
  glibcVersionRuntime?: string
}

/**
 * Fills 200 MB, keeps a hundredth of them spread over all, and prints the share of memory that is
 * left of what was there at most, as soon as it is less than half or ten seconds have passed.
 */
const script = `
  import { collectWhenIdle } from ${JSON.stringify(join(import.meta.dirname, 'idle-memory.ts'))}
  const blocks = Array.from({ length: 4000 }, () => Buffer.alloc(50_000, 1))
  const kept = blocks.filter((_, n) => n % 100 === 0)
  blocks.length = 0
  const most = process.memoryUsage.rss()
  collectWhenIdle()
  const started = performance.now()
  const watch = setInterval(() => {
    const share = process.memoryUsage.rss() / most
    if (share > 0.5 && performance.now() - started < 10_000) return
    clearInterval(watch)
    console.log(share, kept.length)
  }, 50)
`

// Takes the five seconds without a request after which memory is given back.
test.runIf(glibcVersionRuntime)(
  'R52: memory between blocks in use goes back to the system',
  { timeout: 30_000 },
  async () => {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      // Blocks of this size lie beside each other, as smaller ones do always.
      { env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' } },
    )
    expect(Number.parseFloat(stdout)).toBeLessThan(0.5)
    expect(stderr).toBe('')
  },
)
