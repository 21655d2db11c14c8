import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { childEnv } from '#tests/child-env.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'

const root = dirname(dirname(import.meta.dirname))

/** A script of package.json, run by npm in a process group of its own, as a terminal does. */
interface Script {
  readonly npm: ChildProcess
  readonly ended: Promise<unknown[]>
  readonly output: () => string
  /** The processes that npm has started, and those that they have. */
  readonly children: () => number[]
}

async function runNpm(args: string[], env: Record<string, string>): Promise<Script> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-npm-'))
  await copyStarterIndex(folder)
  await copyLibrary(join(folder, 'octavo.db'))
  const npm = spawn('npm', args, {
    cwd: root,
    detached: true,
    env: {
      ...childEnv,
      TMPDIR: tmpdir(),
      npm_config_cache: folder,
      npm_config_update_notifier: 'false',
      PORT: '0',
      HOST: '127.0.0.1',
      CATALOGUE_SOURCES: '',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  npm.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  npm.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(npm, 'exit')
  const script = {
    npm,
    ended,
    output: () => printed,
    children: () => descendants(npm.pid ?? 0),
  }
  onTestFinished(async () => {
    // Whatever a failed test has left.
    try {
      process.kill(-(npm.pid ?? 0), 'SIGKILL')
    } catch {}
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  return script
}

function descendants(of: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim()
  const all = lines.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    all.flatMap(([pid = 0, above]) => (above === parent ? [pid, ...below(pid)] : []))
  return below(of)
}

const alive = (pids: number[]) =>
  pids.filter((pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })

/** Waits for `npm start`, and sends it half of a sign-up. */
async function withHalfASignUp() {
  const script = await runNpm(['start'], {})
  const ready = /^Octavo is ready: (\S+)$/m
  await expect.poll(script.output, { timeout: 60_000 }).toMatch(ready)
  const url = (ready.exec(script.output())?.[1] ?? '').replace('localhost', '127.0.0.1')
  const password = 'burning the midnight oil'
  const body = JSON.stringify({ email: 'a@example.org', password, passwordConfirm: password })
  const signUp = request(`${url}/api/collections/users/records`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  })
  signUp.flushHeaders()
  await once(signUp, 'continue')
  const isGone = () => fetch(`${url}/api/health`).then(Boolean, () => 'gone')
  /** Sends the rest once the server takes nothing new. @returns the answer's status */
  const finish = async () => {
    await expect.poll(isGone, { timeout: 20_000 }).toBe('gone')
    signUp.end(body)
    const [answer] = (await once(signUp, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  return { ...script, finish, port: new URL(url).port }
}

const isPosix = process.platform !== 'win32'

describe.runIf(isPosix)('R51: a signal to npm start', () => {
  test('SIGTERM to npm alone ends the server in order and leaves nothing behind', async () => {
    const { npm, ended, children, finish, port } = await withHalfASignUp()
    const started = children()
    npm.kill('SIGTERM')
    expect(await finish()).toBe(200)
    expect(await ended).toEqual([0, null])
    expect(alive(started)).toEqual([])
    // The next start finds the port free.
    const next = await startOctavo({ PORT: port })
    expect(await next.stop()).toBe(0)
  })

  test('Ctrl-C, which the terminal and npm both pass on, ends the server in order', async () => {
    const { npm, ended, children, finish } = await withHalfASignUp()
    const started = children()
    process.kill(-(npm.pid ?? 0), 'SIGINT')
    expect(await finish()).toBe(200)
    expect(await ended).toEqual([0, null])
    expect(alive(started)).toEqual([])
  })

  test('SIGHUP, of which npm itself dies, ends the server in order too', async () => {
    const { npm, ended, children, finish } = await withHalfASignUp()
    const started = children()
    npm.kill('SIGHUP')
    expect(await ended).toEqual([null, 'SIGHUP'])
    expect(await finish()).toBe(200)
    await expect.poll(() => alive(started), { timeout: 20_000 }).toEqual([])
  })
})

const hasPgDump = spawnSync('pg_dump', ['--version']).status === 0

test.runIf(isPosix && hasPgDump)(
  'R51: a signal to npm run backup ends the backup and the program that dumps',
  async () => {
    const url = await newMigratedUrl()
    // A transaction looks at what others do once only.
    const [holder, onlooker] = [new Client(url), new Client(url)]
    await Promise.all([holder.connect(), onlooker.connect()])
    onTestFinished(async () => void (await Promise.all([holder.end(), onlooker.end()])))
    // The dump waits for it.
    await holder.query('BEGIN; LOCK TABLE activities IN ACCESS EXCLUSIVE MODE')
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_dump' AND wait_event_type = 'Lock'`

    const target = mkdtempSync(join(tmpdir(), 'octavo-npm-backup-'))
    onTestFinished(() => rmSync(target, { recursive: true, force: true }))
    const script = await runNpm(['run', 'backup', '--', target], { DATABASE_URL: url })
    const dumps = async () => (await onlooker.query(waiting)).rows.length
    await expect.poll(dumps, { timeout: 60_000 }).toBe(1)
    const started = script.children()
    script.npm.kill('SIGTERM')
    expect(await script.ended).not.toEqual([0, null])
    await expect.poll(() => alive(started), { timeout: 20_000 }).toEqual([])
  },
)
