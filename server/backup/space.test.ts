import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { requireSpace } from './space.ts'

test('a refusal for space never says that what is needed is there', async () => {
  // The room may grow meanwhile, and then nothing is refused.
  async function refuse() {
    const { bavail, bsize } = await statfs(tmpdir())
    const asked = requireSpace(tmpdir(), bavail * bsize + 1, 'it')
    return asked.then(
      () => '',
      (error: Error) => error.message,
    )
  }
  let refusal = ''
  await expect
    .poll(async () => (refusal = await refuse()))
    .toMatch(/^it may take \d+ MB, and .* has room for \d+ MB$/)
  const [needed, room] = [...refusal.matchAll(/(\d+) MB/g)].map(([, one]) => Number(one))
  expect(needed).toBeGreaterThan(room!)
})
