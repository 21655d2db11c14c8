import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { childEnv } from '#tests/child-env.ts'

/** Each starts the product and other servers, and asks them little: 10 to 40 s. */
const scenarios = [
  'reads',
  'library',
  'writes',
  'batch',
  'notes',
  'sign-ins',
  'searches',
  'described',
  'people',
  'importing',
  'size',
  'reading-life',
  'realtime',
  'timing',
  // Only a few of its measures, as all of them take a minute.
  'screens chip',
]

test.each(scenarios)('the bench runs %s', async (name) => {
  expect(await run(name)).toEqual({
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

async function run(name: string) {
  const bench = spawn(process.execPath, ['bench/run.ts', ...name.split(' '), '--short'], {
    env: { ...childEnv, TMPDIR: tmpdir() },
  })
  let said = ''
  for (const stream of [bench.stdout, bench.stderr]) stream.on('data', (text) => (said += text))
  const [code] = (await once(bench, 'close')) as [number | null]
  return { code, said }
}
