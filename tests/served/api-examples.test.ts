import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openOctavo } from '#tests/open-octavo.ts'
import { runModule } from '#tests/run-module.ts'
import { ownRecord, signedIn, signUp } from '#tests/signed-in.ts'

const root = dirname(dirname(import.meta.dirname))
const { octavo, post } = await openOctavo()
const session = await signUp(octavo, post, 'ann')
const client = signedIn(octavo, session)
const { id: user } = await ownRecord(client)
await client.collection('users').update(user, { username: 'ann' })
await runModule(join(root, 'server/commands/readers.ts'), ['admin', 'ann'], {
  DATA_DIR: octavo.dataDir,
  APP_URL: octavo.url,
})
const shelf = await client.collection('bookshelves').create({ name: 'Shelf', visibility: 'public' })
const book = await client
  .collection('user_books')
  .create({ shelf: shelf.id, title: 'Emma', authors: [], status: 'reading', page_count: 400 })
const webhook = await client
  .collection('webhooks')
  .create({ url: 'https://hooks.example/', events: ['book.added'] })
await client.collection('webhook_deliveries').create({ webhook: webhook.id })
const { token } = await client.collection('api_tokens').create({ name: 'Docs', scope: 'write' })

/** What runs the code of an example, by the language of its block. */
const programs: Record<string, readonly [string, ...string[]]> = {
  sh: ['sh', '-c'],
  ts: [process.execPath, '--input-type=module-typescript', '--eval'],
  python: ['python3', '-c'],
}
const needed: Record<string, string> = { sh: 'curl', ts: process.execPath, python: 'python3' }

const examples = readFileSync(join(root, 'docs/api.md'), 'utf8')
  .split(/^## /m)
  .flatMap((section) => {
    const title = section.slice(0, section.indexOf('\n'))
    const blocks = [...section.matchAll(/^```(sh|ts|python)\n([^]*?)^```/gm)]
    return blocks.map(([, language = '', code = '']) => ({ title, language, code }))
  })

async function run(language: string, code: string): Promise<string> {
  const [program, ...options] = programs[language]!
  const { stdout } = await promisify(execFile)(program, [...options, code], {
    cwd: root,
    env: {
      ...process.env,
      OCTAVO_URL: octavo.url,
      OCTAVO_TOKEN: String(token),
      OCTAVO_SESSION: session,
      OCTAVO_USER: 'ann',
      BOOK: book.id,
    },
  })
  return stdout
}

const textWith = (part: string) => ({ text: expect.stringContaining(part) as string })

/** What each door's examples print, as {@link readPrinted} reads it. */
const answers: Record<string, object> = {
  Tokens: { title: 'Emma', progress: 120, page_count: 400 },
  'What you are reading now': { reading: [{ title: 'Emma', page: 7, pages: 400 }] },
  Feeds: textWith('ann reached page 7 of Emma'),
  Webhooks: { items: [{ event: 'webhook.test' }] },
  Assistants: textWith('\\"title\\":\\"Emma\\"'),
  'What needs a session': { items: [{ username: 'ann', isAdmin: true }] },
}

test('every door of the page has an example in each language', () => {
  const languages = Object.keys(programs)
  expect(examples.map(({ title, language }) => `${title}: ${language}`)).toEqual(
    Object.keys(answers).flatMap((title) => languages.map((language) => `${title}: ${language}`)),
  )
})

/** @returns the text and, if it is JSON, what that says, without the wrapping of `/api/v1` */
function readPrinted(text: string): object {
  try {
    const { data, ...others } = JSON.parse(text) as { data?: object }
    return { text, ...(data ?? others) }
  } catch {
    return { text }
  }
}

const isThere = (language: string) => spawnSync(needed[language]!, ['--version']).status === 0

test.for(examples)('$title, in $language', async ({ title, language, code }, { skip }) => {
  skip(!isThere(language), `${needed[language]} is not on this machine`)
  await client.collection('user_books').update(book.id, { progress: 7 })
  expect(readPrinted(await run(language, code))).toMatchObject(answers[title]!)
})
