import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openOctavo } from '#tests/open-octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'

const root = dirname(dirname(import.meta.dirname))
const { octavo, post } = await openOctavo()
const client = signedIn(octavo, await signUp(octavo, post, 'ann'))
const shelf = await client
  .collection('bookshelves')
  .create({ name: 'Shelf', visibility: 'private' })
const book = await client
  .collection('user_books')
  .create({ shelf: shelf.id, title: 'Emma', authors: [], status: 'reading', page_count: 400 })
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

async function run(language: string, code: string): Promise<unknown> {
  const [program, ...options] = programs[language]!
  const { stdout } = await promisify(execFile)(program, [...options, code], {
    cwd: root,
    env: {
      ...process.env,
      OCTAVO_URL: octavo.url,
      OCTAVO_TOKEN: String(token),
      BOOK: book.id,
    },
  })
  return JSON.parse(stdout)
}

const answers: Record<string, object> = {
  Tokens: { title: 'Emma', progress: 120, page_count: 400 },
  'What you are reading now': { reading: [{ title: 'Emma', page: 7, pages: 400 }] },
}

test('every door of the page has an example in each language', () => {
  const languages = Object.keys(programs)
  expect(examples.map(({ title, language }) => `${title}: ${language}`)).toEqual(
    Object.keys(answers).flatMap((title) => languages.map((language) => `${title}: ${language}`)),
  )
})

const isThere = (language: string) => spawnSync(needed[language]!, ['--version']).status === 0

test.for(examples)('$title, in $language', async ({ title, language, code }, { skip }) => {
  skip(!isThere(language), `${needed[language]} is not on this machine`)
  await client.collection('user_books').update(book.id, { progress: 7 })
  const printed = (await run(language, code)) as { data?: object }
  expect(printed.data ?? printed).toMatchObject(answers[title]!)
})
