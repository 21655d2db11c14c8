import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/settings/config.ts'
import { openRecords } from '#server/open/open-records.ts'
import { openSqlite } from '#records/index.ts'
import { childEnv } from '#tests/child-env.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-import-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const env = { DATA_DIR: folder, SECRET: 'only for this test. '.repeat(3), CATALOGUE_SOURCES: '' }
const command = join(import.meta.dirname, '../../server/commands/import.ts')

beforeAll(async () => {
  await copyStarterIndex(folder)
  await copyLibrary(join(folder, 'octavo.db'))
  await using library = await openRecords(readConfig(env))
  await library.records.write((tx) =>
    tx.create('users', { email: 'ann@example.org', username: 'ann', password: 'turn the page' }),
  )
})

/** What the command answers that brings in a file for a reader. */
async function bringIn(content: string, ...args: string[]) {
  const file = join(folder, 'mine.csv')
  writeFileSync(file, content)
  const child = spawn(process.execPath, [command, ...args, file], {
    env: { ...childEnv, ...env },
  })
  const ended = once(child, 'close')
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code: code as unknown, said, failed }
}

const list = 'Title,Author\nEmma,Jane Austen\nThe Cookbook of Nobody,Nobody Atall\n,\n'

test('an operator brings in a file that waits for its reader, and another at once', async () => {
  const waiting = await bringIn(list, '--user', 'ann')
  expect(waiting).toMatchObject({ code: 0, failed: '' })
  expect(waiting.said).toMatch(/^3 rows\n1 matched\n1 unmatched\n1 invalid\nWaiting for the reader/)
  const added = await bringIn(list, '--user', 'ann@example.org', '--apply')
  expect(added).toMatchObject({ code: 0, said: '3 rows\n1 invalid\n2 applied\n', failed: '' })
  await using library = await openRecords(readConfig(env))
  const [reader] = await Array.fromAsync(
    library.records.recordsOf('user_books', 'user', await idOf('ann')),
  )
  expect(reader!.map(({ title }) => title).toSorted()).toEqual(['Emma', 'The Cookbook of Nobody'])
  // What is in no table of files would be swept. The import that is done has given its file back.
  const files = await library.database.query('SELECT account, size FROM _files')
  const kept = [await idOf('ann'), list.length]
  expect(files.map(([account, size]) => [account, Number(size)])).toEqual([kept])
})

test('it says what keeps it from bringing a file in', async () => {
  expect(await bringIn(list)).toMatchObject({
    code: 1,
    failed: 'Nothing was imported: name the reader with --user\n',
  })
  expect((await bringIn(list, '--user', 'nobody')).failed).toMatch(/^Nothing was imported: /)
  const odd = await bringIn('one,two\n1,2\n', '--user', 'ann', '--apply')
  expect(odd.code).toBe(1)
  expect(odd.failed).toContain('We don’t see a list of books in this file.')
})

async function idOf(username: string): Promise<string> {
  const database = openSqlite(join(folder, 'octavo.db'))
  const [row] = await database.query('SELECT id FROM users WHERE username = ?', [username])
  await database.close()
  return String(row?.[0])
}
