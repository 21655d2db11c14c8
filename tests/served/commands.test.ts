import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { childEnv } from '#tests/child-env.ts'
import { copyLibrary } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'

const server = join(dirname(dirname(import.meta.dirname)), 'server')

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-commands-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function start(command: string, words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(server, command), ...words], {
    env: { ...childEnv, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** What a command that is done has answered. */
async function run(command: string, words: readonly string[], env: Record<string, string> = {}) {
  const child = start(command, words, env)
  const ended = once(child, 'close')
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code: code as unknown, said, failed }
}

const refused = (words: RegExp) => ({
  code: 1,
  said: '',
  failed: expect.stringMatching(new RegExp(`^[^\\n]*${words.source}[^\\n]*\\n$`)) as string,
})

/** A folder with an empty library. */
async function emptyLibrary(): Promise<string> {
  const folder = newFolder()
  await copyLibrary(join(folder, 'octavo.db'))
  return folder
}

describe('a command line is taken strictly', () => {
  const backup = 'commands/backup.ts'
  const moderate = 'commands/moderate.ts'
  const catalogue = 'commands/catalogue.ts'
  const readers = 'commands/readers.ts'

  test.for<[string, string[], RegExp]>([
    [backup, ['backup', '--hlp'], /unknown option '--hlp'; see npm run backup -- --help/],
    [backup, ['backup', 'a', 'b'], /"b" is one argument too many/],
    [backup, ['restore', 'a', 'b', 'extra'], /Nothing was restored: "b" is one argument too many/],
    [backup, ['restore'], /say which backup: npm run restore -- <backup>/],
    [backup, ['move-to-postgres', 'now'], /Nothing was moved: "now" is one argument too many/],
    [
      moderate,
      ['hide', 'a', 'b'],
      /"b" is one argument too many; see npm run moderate -- hide --help/,
    ],
    [moderate, ['hide'], /say which username: npm run moderate -- hide <username>/],
    [moderate, [], /say which command: list, show, hide, unhide, close/],
    [moderate, ['constructor'], /there is no command constructor/],
    [moderate, ['list', '--all'], /unknown option '--all'/],
    [readers, ['delete', '-y', 'ann'], /Nothing was deleted: unknown option '-y'/],
    [readers, ['delete'], /say which name: npm run readers -- delete <name>/],
    [
      readers,
      ['change-email', 'ann'],
      /say which email: npm run readers -- change-email <name> <email>/,
    ],
    // What stands in a command line, every other program of the machine can read.
    [readers, ['set-password', 'ann', 'secret'], /"secret" is one argument too many/],
    [readers, ['invite', '--days=1.5'], /--days must be a whole number from 1 to 365/],
    [readers, ['invite', '--days=366'], /--days must be a whole number from 1 to 365/],
    [readers, ['invite', '--days'], /option '--days <value>' argument missing/],
    [catalogue, ['import', '--author=x'], /unknown option '--author'/],
    [catalogue, ['status', 'x'], /"x" is one argument too many/],
    ['start.ts', ['--demmo'], /unknown option '--demmo'/],
    ['commands/doctor.ts', ['--male'], /unknown option '--male'; see npm run doctor -- --help/],
    ['start.ts', ['now'], /"now" is one argument too many/],
  ])('%s %o', async ([command, words, reason]) => {
    const folder = newFolder()
    const into = readdirSync('.')
    const { failed, ...more } = await runModule(join(server, command), words, { DATA_DIR: folder })
    expect({ failed: `${failed}\n`, ...more }).toEqual(refused(reason))
    expect(readdirSync(folder)).toEqual([])
    expect(readdirSync('.')).toEqual(into)
  })

  test.for<[string, string[], RegExp]>([
    [backup, ['backup', '--help'], /^npm run backup -- \[folder\]\n/],
    [moderate, ['--help'], /^npm run moderate -- list \[options\]\n[^]*close <report>\n/],
    [readers, ['--help'], /^npm run readers -- list \[options\]\n[^]*reset-link <name>\n/],
    [catalogue, ['import', '-h'], /^npm run catalogue:import -- \[options\]\n[^]*--authors <file>/],
    ['start.ts', ['--help'], /^npm start -- \[options\]\n[^]*--demo/],
  ])('help of %s %o', async ([command, words, answer]) => {
    const { code, said, failed } = await run(command, words)
    expect([code, failed]).toEqual([0, ''])
    expect(said).toMatch(answer)
  })
})

/** Runs a command whose output nobody reads. */
async function runUnread(command: string, words: readonly string[], env: Record<string, string>) {
  const child = start(command, words, env)
  child.stdout.destroy()
  const ended = once(child, 'close')
  const failed = await text(child.stderr)
  const [code] = await ended
  return { code: code as unknown, failed }
}

test('a command whose output is no longer read, as by head, does its work and ends quietly', async () => {
  const folder = await emptyLibrary()
  const env = { DATA_DIR: folder }
  const quiet = { code: 0, failed: '' }
  const backups = join(folder, 'elsewhere')
  for (const [command, ...words] of [
    ['commands/doctor.ts'],
    ['commands/doctor.ts', '--help'],
    ['commands/readers.ts', 'list'],
    ['commands/readers.ts', '--help'],
    ['commands/catalogue.ts', 'status'],
    ['commands/backup.ts', 'backup', backups],
  ] as const)
    expect(await runUnread(command, words, env), [command, ...words].join(' ')).toEqual(quiet)
  expect(readdirSync(backups)).toHaveLength(1)
})

describe('what an interrupted backup leaves', () => {
  let address: string
  beforeAll(async () => {
    // A database that never answers: a backup of it is never done.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    address = `postgres://octavo@127.0.0.1:${(silent.address() as AddressInfo).port}/octavo`
    return () => void silent.close()
  })

  /** Starts a backup. @returns once its folder is there */
  async function unfinished(into: string): Promise<ChildProcess> {
    const env = { DATA_DIR: newFolder(), DATABASE_URL: address }
    const child = start('commands/backup.ts', ['backup', into], env)
    await expect.poll(() => partialOf(into, child)).toBeDefined()
    return child
  }
  const partialOf = (into: string, { pid }: ChildProcess) =>
    readdirSync(into).find((name) => name.endsWith(`-${pid}.partial`))

  test.for(['SIGTERM', 'SIGINT'] as const)('%s removes it', async (signal) => {
    const into = newFolder()
    const child = await unfinished(into)
    const ended = once(child, 'exit')
    child.kill(signal)
    expect(await ended).toEqual([null, signal])
    expect(readdirSync(into)).toEqual([])
  })

  test('the next backup removes it if nobody is at it any more', async () => {
    const into = newFolder()
    const alive = await unfinished(into)
    // It is not to give up waiting for its database.
    alive.kill('SIGSTOP')
    const killed = await unfinished(into)
    const ended = once(killed, 'exit')
    killed.kill('SIGKILL')
    await ended
    expect(partialOf(into, killed)).toBeDefined()
    const elsewhere = '.octavo-20260101T000000Z.other-machine-1.partial'
    const old = ['.octavo-20260101T000000Z.partial', '.octavo-20260101T000001Z.partial']
    for (const name of [elsewhere, ...old]) mkdirSync(join(into, name))
    // What other machines and older versions make is left alone for a day.
    utimesSync(join(into, old[0]!), 0, 0)
    const env = { DATA_DIR: await emptyLibrary() }
    expect(await run('commands/backup.ts', ['backup', into], env)).toMatchObject({ code: 0 })
    const partials = readdirSync(into).filter((name) => name.endsWith('.partial'))
    const left = [partialOf(into, alive) ?? '', elsewhere, old[1] ?? '']
    expect(partials.toSorted()).toEqual(left.toSorted())
  })
})
