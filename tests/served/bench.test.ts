import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { expect, inject, test } from 'vitest'
import { childEnv } from '#tests/child-env.ts'

/** Scenarios of the report that `npm run bench` writes. */
const reported = 13

// 30 s: each scenario starts the product and other servers, and asks them little.
test('the bench runs every scenario of its report', { timeout: 300_000 }, async () => {
  const { code, said } = await run()
  expect([code, said]).toEqual([0, expect.any(String)])
  const sections = said.split(/^## /m).slice(1)
  expect(sections).toEqual(
    Array.from({ length: reported }, () => expect.stringMatching(/^\| ---/m)),
  )
})

// Of the screens only a few measures, as all of them take a minute.
test.each(['realtime', 'timing', 'matching', 'screens chip'])('the bench runs %s', async (name) => {
  expect(await run(...name.split(' '))).toEqual({
    code: 0,
    said: expect.stringMatching(/^(\| ---|- )/m),
  })
})

test('R23: a short soak loses no acknowledged write', async () => {
  expect(await run('soak')).toEqual({
    code: 0,
    said: expect.stringMatching(/of these lost +\|[ |]+0 /),
  })
})

async function run(...scenario: string[]) {
  const bench = spawn(process.execPath, ['bench/run.ts', ...scenario, '--short'], {
    env: { ...childEnv, TMPDIR: tmpdir(), CHROMIUM_FOLDER: inject('lastingFolder') },
  })
  let said = ''
  for (const stream of [bench.stdout, bench.stderr]) stream.on('data', (text) => (said += text))
  const [code] = (await once(bench, 'close')) as [number | null]
  return { code, said }
}
