import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { copyLibrary } from '#tests/prepared.ts'

const root = dirname(dirname(import.meta.dirname))
const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8')

/** A copy of the program, as an operator installs it, with a library of its own. */
let installed: { folder: string; program: string; data: string; backups: string }

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-settings-'))
  const [program, data, backups] = ['program', 'data', 'backups'].map((name) => join(folder, name))
  installed = { folder, program: program!, data: data!, backups: backups! }
  for (const name of [
    'server',
    'records',
    'shared',
    'threads',
    'catalogue',
    'package.json',
    'with-node',
  ])
    cpSync(join(root, name), join(installed.program, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(installed.program, 'node_modules'))
  mkdirSync(installed.data)
  await copyLibrary(join(installed.data, 'octavo.db'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const setEnvFile = (...lines: string[]) =>
  writeFileSync(join(installed.program, '.env'), lines.map((line) => `${line}\n`).join(''))

/** Runs a line of a shell with nothing of this process's environment, in the root folder. */
function sh(line: string, env: Record<string, string>) {
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile('/bin/sh', ['-c', line], { cwd: '/', env }, (error, out, failed) =>
      resolve({ code: error?.code ?? 0, said: out + failed }),
    )
  })
}

const run = (words: string, env: Record<string, string> = {}) =>
  sh(`'${process.execPath}' '${installed.program}/server/${words}'`, env)

/** The indented or fenced block of docs/operating.md that has these words in it. */
function documented(words: string): string {
  const block = operating.split('```').find((part, at) => at % 2 === 1 && part.includes(words))
  expect(block).toBeDefined()
  return block!.replace(/^\w*\n/, '')
}

test('the .env file beside package.json has the settings, below the environment', async () => {
  setEnvFile('# where the books are', `DATA_DIR="${installed.data}"`, 'LOG_LEVEL=loud')
  const wrong = await run(`commands/backup.ts' backup '${installed.backups}`)
  expect(wrong).toEqual({ code: 1, said: expect.stringMatching(/LOG_LEVEL must be one of/) })
  const right = { LOG_LEVEL: 'info' }
  const made = await run(`commands/backup.ts' backup '${installed.backups}`, right)
  expect(made).toEqual({ code: 0, said: expect.stringMatching(/^Backed up to/) })
  const elsewhere = join(installed.folder, 'elsewhere')
  const other = await run("commands/moderate.ts' 'list", { ...right, DATA_DIR: elsewhere })
  expect(other.said).toContain(`there is no database at ${elsewhere}`)
  const started = await run('start.ts', { ...right, PORT: 'http' })
  expect(started).toEqual({ code: 1, said: expect.stringMatching(/^Octavo cannot start: PORT/) })
  rmSync(installed.backups, { recursive: true })
})

test('a variable that looks like a mistyped setting is named', async () => {
  setEnvFile(`DATA_DIR=${installed.data}`, 'DATABSE_URL=postgres://localhost/octavo')
  const { code, said } = await run("commands/moderate.ts' 'list", { TRUST_PROXIES: '1' })
  expect(code).toBe(0)
  expect(said).toContain('Octavo has no setting DATABSE_URL; did you mean DATABASE_URL?\n')
  expect(said).toContain('Octavo has no setting TRUST_PROXIES; did you mean TRUST_PROXY?\n')
})

test('a line of .env without = is refused by its number, as it may hold a password', async () => {
  setEnvFile(`DATA_DIR=${installed.data}`, 'DATABASE_URL postgres://octavo:word@localhost/octavo')
  for (const command of ["commands/moderate.ts' 'list", 'start.ts']) {
    const { code, said } = await run(command)
    expect(code).toBe(1)
    expect(said).toMatch(/The settings in \S+\.env cannot be read: line 2 must be NAME=value\n$/)
  }
})

test.runIf(process.getuid?.() === 0)('a .env file that cannot be read is no missing one', () => {
  setEnvFile(`DATA_DIR=${installed.data}`)
  chmodSync(join(installed.program, '.env'), 0o600)
  for (const folder of [dirname(installed.folder), installed.folder, installed.program])
    chmodSync(folder, 0o755)
  const line = [process.execPath, join(installed.program, 'server/commands/backup.ts'), 'backup']
  const { status, stderr } = spawnSync(
    'setpriv',
    ['--reuid=65534', '--regid=65534', '--clear-groups', ...line],
    { encoding: 'utf8', env: {}, cwd: '/' },
  )
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/settings in \S+\.env cannot be read/),
  ])
})

test('the documented cron line backs up what the server serves', async () => {
  setEnvFile(`DATA_DIR=${installed.data}`)
  const table = documented('/etc/cron.d/octavo').split('\n')
  const env = Object.fromEntries(
    table.filter((line) => /^[A-Z]+=/.test(line)).map((line) => line.split('=')),
  ) as Record<string, string>
  const [line = ''] = table.flatMap((each) => /^0 2 \* \* \* octavo (.*)$/.exec(each)?.[1] ?? [])
  const here = line
    .replaceAll('/opt/octavo', installed.program)
    .replaceAll('/mnt/backups', installed.backups)
  mkdirSync(installed.backups)
  for (let day = 10; day < 41; day++)
    mkdirSync(join(installed.backups, `octavo-202501${day}T020000Z`))
  const cron = { HOME: '/nonexistent', LOGNAME: 'octavo', SHELL: '/bin/sh', ...env }
  expect(await sh(here, cron)).toEqual({ code: 0, said: expect.stringMatching(/^Backed up to/) })
  const kept = readdirSync(installed.backups).toSorted()
  expect(kept).toHaveLength(30)
  expect(readdirSync(join(installed.backups, kept.at(-1)!))).toContain('octavo.db')
})

test('the example of a cron table has the documented lines', () => {
  const example = readFileSync(join(root, 'docs/examples/octavo.cron'), 'utf8')
  const lines = example.split('\n').map((line) => line.replace(/^#(?=\*)/, ''))
  const [nightly] = documented('/etc/cron.d/octavo')
    .split('\n')
    .filter((line) => line.startsWith('0 2'))
  expect(lines).toEqual(expect.arrayContaining([nightly, documented('/mnt/recent').trim()]))
})

test('the documented line for frequent backups keeps the newest three', async () => {
  setEnvFile(`DATA_DIR=${installed.data}`)
  const line = documented('/mnt/recent').replace(/^\S+ \* \* \* \* octavo /, '')
  const recent = join(installed.folder, 'recent')
  mkdirSync(recent)
  for (let minute = 10; minute < 15; minute++)
    mkdirSync(join(recent, `octavo-20250101T02${minute}00Z`))
  const here = line.replaceAll('/opt/octavo', installed.program).replaceAll('/mnt/recent', recent)
  const cron = { HOME: '/nonexistent', PATH: '/usr/local/bin:/usr/bin:/bin' }
  expect(await sh(here, cron)).toEqual({ code: 0, said: '' })
  const kept = readdirSync(recent).toSorted()
  expect(kept).toHaveLength(3)
  expect(readdirSync(join(recent, kept.at(-1)!))).toContain('octavo.db')
})

test.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)(
  'the documented unit is one that systemd takes',
  () => {
    const unit = documented('[Service]').replaceAll('/opt/octavo', installed.program)
    const file = join(installed.folder, 'octavo.service')
    writeFileSync(file, unit.replace('User=octavo', 'User=root'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(readdirSync(installed.program)).toContain('server')
  },
)
