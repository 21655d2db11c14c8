import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/settings/config.ts'
import { subscribe } from '#tests/access/subscriber.ts'
import { secret } from '#tests/access/fixture.ts'
import { childEnv } from '#tests/child-env.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { freePort } from '#tests/free-port.ts'
import { hasProxy, proxyNames, startProxy } from '#tests/proxies.ts'
import { ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

const root = dirname(dirname(import.meta.dirname))
const examples = join(root, 'docs/examples')
const unit = readFileSync(join(examples, 'octavo@.service'), 'utf8')
const envFile = readFileSync(join(examples, 'two-processes.env'), 'utf8')
const installed = proxyNames.filter(hasProxy)

const folder = mkdtempSync(join(tmpdir(), 'octavo-two-'))
const [program, state] = [join(folder, 'program'), join(folder, 'state')]

/** What systemd reads at a key of the unit, for the instance of a port, in this test's folders. */
function read(key: string, port: number): string {
  const value = new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  return value
    .replaceAll('%i', String(port))
    .replaceAll('/opt/octavo', program)
    .replaceAll('/var/lib/octavo', state)
}

/** The environment that the unit gives a process beside the file of settings. */
const environment = (port: number) => ({
  ...childEnv,
  TMPDIR: tmpdir(),
  ...Object.fromEntries(
    read('Environment', port)
      .split(' ')
      .map((pair) => pair.split('=')),
  ),
})

const running = new Map<number, ChildProcess>()

/** Does what `systemctl start octavo@PORT` does, and resolves when that returns. */
async function start(port: number): Promise<void> {
  for (const name of read('StateDirectory', port).split(' '))
    mkdirSync(join(dirname(state), name.replace(/^octavo/, 'state')), { recursive: true })
  expect(spawnSync('sh', ['-c', read('ExecStartPre', port)]).status).toBe(0)
  const [command = '', ...words] = read('ExecStart', port).split(' ')
  const options = { cwd: read('WorkingDirectory', port), env: environment(port) }
  const child = spawn(command, words, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  running.set(port, child)
  const post = awaitReady(port, child.pid)
  const [code] = (await once(post, 'exit')) as [number]
  expect(code).toBe(0)
}

/** What systemd runs after the start of a process. */
function awaitReady(port: number, pid: number | undefined): ChildProcess {
  const env = { ...environment(port), MAINPID: String(pid) }
  const cwd = read('WorkingDirectory', port)
  return spawn('sh', ['-c', `exec ${read('ExecStartPost', port)}`], { cwd, env })
}

async function stop(port: number): Promise<void> {
  const child = running.get(port)
  running.delete(port)
  if (!child || child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
}

test('the example of settings is refused as long as the secret is not replaced', () => {
  const lines = envFile.split('\n').filter((line) => /^[A-Z]/.test(line))
  const given = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)))
  expect(() => readConfig(given)).toThrow(/^SECRET must have at least 32 characters$/)
  expect(readConfig({ ...given, SECRET: secret }).databaseUrl).toBeDefined()
})

test.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)(
  'the example of a unit is one that systemd takes',
  () => {
    const file = join(folder, 'octavo@3001.service')
    writeFileSync(file, unit.replace('User=octavo', 'User=root').replaceAll('/opt/octavo', root))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  },
)

describe.skipIf(!installed.length)('two processes by the examples', () => {
  let ports: number[]
  let front: number
  let post: Awaited<ReturnType<typeof openMailServer>>
  const at = (port: number) => ({ url: `http://127.0.0.1:${port}` }) as Parameters<typeof signUp>[0]

  beforeAll(async () => {
    ports = [await freePort(), await freePort()]
    front = await freePort()
    post = await openMailServer()
    const copied = [
      'build',
      'catalogue',
      'public',
      'records',
      'server',
      'shared',
      'threads',
      'package.json',
      'with-node',
    ]
    for (const name of copied)
      cpSync(join(root, name), join(program, name), { recursive: true, preserveTimestamps: true })
    const values: Record<string, string> = {
      DATA_DIR: join(state, String(ports[1])),
      APP_URL: `https://localhost:${front}`,
      DATABASE_URL: await newMigratedUrl((end) => void endings.push(end)),
      SECRET: secret,
      SMTP_URL: post.url,
    }
    const filled = envFile.replaceAll(/^([A-Z_]+)=.*$/gm, (line, name: string) =>
      values[name] ? `${name}=${values[name]}` : line,
    )
    const ofTests = 'RATE_LIMITS=off\nCATALOGUE_SOURCES=\nLOG_LEVEL=warn\n'
    writeFileSync(join(program, '.env'), filled + ofTests)
    symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'))
    await Promise.all(ports.map(start))
  })
  const endings: (() => unknown)[] = []
  afterAll(async () => {
    await Promise.all(ports.map(stop))
    await post.close()
    for (const end of endings) await end()
  })

  test('one sign-in, live events, pictures and a backup are those of both', async () => {
    const [one, other] = ports.map(at)
    const token = await signUp(one!, post)
    const client = signedIn(one!, token)
    const account = await ownRecord(client)
    const listener = await subscribe(
      { fetch: (path, init) => fetch(`${other!.url}${path}`, init) },
      token,
      ['bookshelves/*'],
    )
    await client.collection('bookshelves').create({ name: 'Heard', visibility: 'private' })
    expect(await listener.until('Heard')).toEqual([])
    await listener.close()

    const square = sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
    const picture = new File([new Uint8Array(await square.png().toBuffer())], 'teal.png')
    const { avatar } = await client.collection('users').update(account.id, { avatar: picture })
    const shown = await fetch(
      `${other!.url}/api/files/users/${account.id}/${String(avatar as unknown)}`,
      { headers: { Authorization: token } },
    )
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])

    const command = [join(program, 'server/commands/backup.ts'), 'backup', join(folder, 'backups')]
    // As cron does, with the settings of the file alone.
    const env = { ...childEnv, TMPDIR: tmpdir() }
    const { status, stdout } = spawnSync(process.execPath, command, { env, encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, expect.stringMatching(/ and 1 picture\b/)])
  })

  test('a start that fails is over at once, so that systemd tries again', async () => {
    const ended = spawn('true')
    await once(ended, 'exit')
    const [code] = (await once(awaitReady(await freePort(), ended.pid), 'exit')) as [number]
    expect(code).toBe(1)
    expect(unit).toContain('\nTimeoutStartSec=infinity\n')
  })

  test('one that stops says so and answers new connections until proxies have noticed', async () => {
    const port = ports[0]!
    const ask = async (path: string, init?: RequestInit) => {
      const headers = { 'Content-Type': 'application/json', Connection: 'close' }
      const answer = await fetch(`${at(port).url}${path}`, { ...init, headers })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await ask('/api/ready')).toBe(200)
    const stopped = stop(port)
    await expect.poll(() => ask('/api/ready'), { interval: 20 }).toBe(503)
    const signIn = '/api/collections/users/auth-with-password'
    const body = JSON.stringify({ identity: 'nobody@example.org', password: 'a wrong password' })
    expect(await ask(signIn, { method: 'POST', body })).toBe(400)
    await stopped
    await start(port)
  })

  test.each(installed)('R10: behind %s a rolling restart fails no request', async (name) => {
    const proxy = await startProxy(name, front, ports)
    onTestFinished(() => proxy.stop())
    const token = await signUp(at(ports[0]!), post, `rolling-${name}`)
    const headers = { Authorization: token, 'Content-Type': 'application/json' }
    const shelves = '/api/collections/bookshelves/records'
    const body = JSON.stringify({ name: 'Written', visibility: 'private' })
    const made = await proxy.fetch(shelves, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: string }

    const over = new AbortController()
    const answers = new Map<string, number>()
    let written = 0
    async function send(path: string, init: RequestInit): Promise<void> {
      const what = await proxy.fetch(path, init).then(
        async (answer) => {
          const text = await answer.text()
          return answer.status === 200 ? '200' : `${answer.status} ${text.slice(0, 300)}`
        },
        (error: Error) => `${String(error)}: ${init.method ?? 'GET'} ${String(error.cause)}`,
      )
      answers.set(what, (answers.get(what) ?? 0) + 1)
    }
    async function ask(...requests: [path: string, init: () => RequestInit][]): Promise<void> {
      for (let n = 0; !over.signal.aborted; n++) {
        const [path, init] = requests[n % requests.length]!
        await send(path, init())
      }
    }
    let added = 0
    async function burst(): Promise<void> {
      while (!over.signal.aborted)
        await Promise.all(
          Array.from({ length: 8 }, async () => {
            const name = JSON.stringify({ name: `Added ${++added}`, visibility: 'private' })
            await send(shelves, { method: 'POST', headers, body: name })
          }),
        )
    }
    const write = () => {
      const version = JSON.stringify({ name: `Version ${++written}` })
      return { method: 'PATCH', headers, body: version }
    }
    const asking = [
      ask([shelves, () => ({ headers })], ['/explore', () => ({})]),
      ask([`${shelves}/${id}`, write]),
      // Many at once, whose connections the proxy then keeps.
      burst(),
    ]
    for (const port of ports) {
      await stop(port)
      await start(port)
    }
    over.abort()
    await Promise.all(asking)
    expect([...answers.keys()]).toEqual(['200'])
    const kept = await signedIn(at(ports[1]!), token).collection('bookshelves').getOne(id)
    expect(kept['name']).toBe(`Version ${written}`)
  })
})
