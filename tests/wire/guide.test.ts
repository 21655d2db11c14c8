import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import PocketBase from 'pocketbase'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rejection } from './fixture.ts'

const root = dirname(dirname(import.meta.dirname))
const password = 'correct horse'

/**
 * The application that docs/records.md shows, at a port of its own; with what it prints.
 *
 * @param isHooked whether with the hooks that the page shows after it
 */
async function startGuide(isHooked: boolean): Promise<{ url: string; printed: () => string }> {
  const guide = readFileSync(join(root, 'docs/records.md'), 'utf8')
  const [whole = '', hooks = ''] = [...guide.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code)
  const code = isHooked ? hooks + whole.replace('createRecords({', 'createRecords({ hooks,') : whole
  const folder = mkdtempSync(join(tmpdir(), 'octavo-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const here = code
    .replace(`'notes.db'`, JSON.stringify(join(folder, 'notes.db')))
    .replace('port: 3000', 'port: 0')
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', here], {
    cwd: root,
    env: { ...process.env, SECRET: 'a secret of thirty-two characters' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (status) => reject(new Error(`ended with ${status}: ${printed}`)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        const address = /^at (http\S+)$/m.exec(printed)?.[1]
        if (address) resolve(address)
      })
  })
  return { url, printed: () => printed }
}

test.each([
  ['as it stands there', false, ' Milk ', 0],
  ['with the hooks that stand there', true, 'Milk', 1],
])('the application in the guide runs %s', async (_, isHooked, title, count) => {
  const { url, printed } = await startGuide(isHooked)
  const client = new PocketBase(url)
  const people = client.collection('people')
  const email = 'ann@example.org'
  const ann = await people.create({ email, password, passwordConfirm: password, name: 'Ann' })
  const half = await rejection(people.authWithPassword(email, password))
  const mfaId = String(half.response['mfaId'])
  const { otpId } = await people.requestOTP(email, { mfaId })
  const code = await vi.waitUntil(() => /the code for \S+ is (\d+)/.exec(printed())?.[1], {
    timeout: 30_000,
  })
  await people.authWithOTP(otpId, code, { mfaId })

  const note = await client.collection('notes').create({ title: ' Milk ', open: false })
  expect(note).toMatchObject({ owner: ann.id, title, open: false })
  const seen = () => new PocketBase(url).collection('notes').getFullList({ expand: 'owner' })
  expect(await seen()).toEqual([])
  await client.collection('notes').update(note.id, { open: true })
  expect(await seen()).toMatchObject([
    { id: note.id, expand: { owner: { name: 'Ann', notes_count: count } } },
  ])
  expect((await rejection(new PocketBase(url).collection('notes').delete(note.id))).status).toBe(
    404,
  )
  expect(await people.delete(ann.id)).toBe(true)
  expect(await seen()).toEqual([])
})
