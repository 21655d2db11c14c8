import { expect, onTestFinished, test } from 'vitest'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openSocket } from './lines.ts'

const settings = { SECRET: 'a secret of more than 32 characters' }

test('a start waits for a PostgreSQL that is away, and says so once', async () => {
  const line = await openSocket(await newMigratedUrl(), onTestFinished)
  await line.gone(false)
  let isReady = false
  const printed: string[] = []
  const starting = startOctavo(
    { DATABASE_URL: line.url, ...settings },
    [],
    undefined,
    (chunk) => void printed.push(chunk),
  )
  void starting.then(
    () => (isReady = true),
    () => undefined,
  )
  await expect.poll(() => printed.join(''), { timeout: 20_000 }).toContain('Waiting for it')
  expect(isReady).toBe(false)
  await line.open('through')
  const octavo = await starting
  onTestFinished(async () => void (await octavo.stop()))
  expect(octavo.output().match(/Waiting for it/g)).toHaveLength(1)
})

test.for([
  ['database', { pathname: '/nowhere' }],
  ['role', { username: 'nobody' }],
] as const)('a %s that PostgreSQL does not know fails at once', async ([, wrong]) => {
  const url = Object.assign(new URL(await newMigratedUrl()), wrong)
  const start = startOctavo({ DATABASE_URL: url.href, ...settings })
  await expect(start).rejects.toThrow(/cannot be opened: .* does not exist\. Check DATABASE_URL/)
})
