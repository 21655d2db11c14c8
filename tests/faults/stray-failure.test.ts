import { expect, onTestFinished, test } from 'vitest'
import { startOctavo } from '#tests/octavo.ts'

/** Breaks a promise that nobody waits for, whenever the process is told to. */
const mistake = `process.on('SIGUSR2',()=>void(Promise.reject(Error('stray'))))`

test('R22: logs a failure nobody waited for, and goes on', async () => {
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(mistake)}`
  const octavo = await startOctavo({ NODE_OPTIONS })
  onTestFinished(async () => void (await octavo.stop()))
  octavo.process.kill('SIGUSR2')
  await expect.poll(() => octavo.output(), { timeout: 20_000 }).toMatch(/"level":50.*stray/)
  expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
  expect((await fetch(octavo.url)).status).toBe(200)
  expect(octavo.output().match(/"level":50/g)).toHaveLength(1)
  expect(await octavo.stop()).toBe(0)
})
