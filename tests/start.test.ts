import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '#records/index.ts'
import { childEnv } from '#tests/child-env.ts'
import { newPostgresUrl } from '#tests/databases.ts'
import { isReachable } from '#tests/postgres.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'

const root = dirname(import.meta.dirname)
const start = join(root, 'server/start.ts')
const isRoot = process.getuid?.() === 0
/** Whether a process can be given a disk of its own. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0
/** Nobody's number on Debian and most others: an account without any right of its own. */
const nobody = 65_534

interface Run {
  /** Settles when the server says where it is. */
  ready: Promise<string>
  ended: Promise<{ code: number | null; lines: string[] }>
  kill(signal: NodeJS.Signals): void
}

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'octavo-start-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
})

/** Fills the data folder as an earlier start has, which takes longest in a first one. */
async function prepare(): Promise<void> {
  await copyStarterIndex(dataDir)
  await copyLibrary(join(dataDir, 'octavo.db'))
}

/** Starts Octavo as `npm start` does, on a free port, and stops it after the test. */
function run(
  env: Record<string, string> = {},
  uid?: number,
  args = [start],
  program = process.execPath,
): Run {
  const child = spawn(program, args, {
    cwd: root,
    env: {
      ...childEnv,
      TMPDIR: tmpdir(),
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      CATALOGUE_SOURCES: '',
      LOG_LEVEL: 'silent',
      ...env,
    },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    lines: errors.filter((line) => line !== ''),
  }))
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /ready: (http:\S+)/.exec(line)?.[1]
      if (address) resolve(address)
    })
    void ended.then(({ code, lines }) =>
      reject(new Error(`ended with ${code}: ${lines.join('\n')}`)),
    )
  })
  // A run that is meant to end is not waited for.
  ready.catch(() => undefined)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { ready, ended, kill: (signal) => child.kill(signal) }
}

/** Who may do what with files of the data folder; in octal digits. */
const modes = (names: string[]) =>
  names.map((name) => (statSync(join(dataDir, name)).mode & 0o777).toString(8))

/** Exactly one line, which has these words in it, and status 1. */
const refusal = (words: RegExp) => ({ code: 1, lines: [expect.stringMatching(words) as string] })

describe('a start that cannot succeed says one line and ends with 1', () => {
  test('wrong environment', async () => {
    expect(await run({ PORT: 'http', MAIL_FROM: 'nobody' }).ended).toEqual(
      refusal(/PORT .*MAIL_FROM/),
    )
  })

  test('half of a pair of settings', async () => {
    expect(await run({ GOOGLE_CLIENT_ID: 'x' }).ended).toEqual(refusal(/GOOGLE_CLIENT_SECRET/))
  })

  test('busy port', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(await run({ PORT: String(port) }).ended).toEqual(refusal(new RegExp(`${port}.*in use`)))
  })

  test('address of another machine', async () => {
    // From the block for documentation: nobody has it.
    const { ended } = run({ HOST: '192.0.2.1' })
    expect(await ended).toEqual(refusal(/cannot be opened.*HOST must be an address of this mach/))
  })

  test('data folder that cannot be made', async () => {
    const inTheWay = join(dataDir, 'file')
    writeFileSync(inTheWay, '')
    const { ended } = run({ DATA_DIR: join(inTheWay, 'data') })
    expect(await ended).toEqual(refusal(/data folder .*cannot be written/))
  })

  test.runIf(existsSync('/proc/self'))('data folder where no folder can ever be', async () => {
    const { ended } = run({ DATA_DIR: '/proc/nope/data' })
    expect(await ended).toEqual(refusal(/data folder .*cannot be written/))
  })

  // Root may write everywhere; another account must be able to reach the code.
  const canTry = !isRoot || isReachable(dirname(start))
  test('R5: data folder that leads nowhere, as to a disk that is not there', async () => {
    const link = join(dataDir, 'link')
    symlinkSync(join(dataDir, 'nowhere'), link)
    const refused = refusal(/data folder \S*link cannot be written: .*a link to a missing folder/)
    expect(await run({ DATA_DIR: link }).ended).toEqual(refused)
    expect(await run({ DATA_DIR: start }).ended).toEqual(
      refusal(/cannot be written: \S+ is a file/),
    )
  })

  test.runIf(canTry)('R5: database that is for reading only, as after a try as root', async () => {
    for (const name of ['octavo.db', 'sources.db']) {
      const folder = mkdtempSync(join(dataDir, 'owned-'))
      writeFileSync(join(folder, name), '', { mode: 0o444 })
      if (isRoot) chownSync(folder, nobody, nobody)
      chmodSync(dataDir, 0o755)
      const { ended } = run({ DATA_DIR: folder }, isRoot ? nobody : undefined)
      expect(await ended).toEqual(refusal(new RegExp(`${name} cannot be written.*must belong to`)))
    }
  })

  test.runIf(canTry)('folder of pictures or mails that another account owns', async () => {
    for (const name of ['files', 'mail', 'files/a-collection']) {
      const folder = mkdtempSync(join(dataDir, 'owned-'))
      mkdirSync(join(folder, name), { recursive: true })
      chmodSync(join(folder, name), 0o555)
      if (isRoot) chownSync(folder, nobody, nobody)
      if (isRoot && name.includes('/')) chownSync(join(folder, 'files'), nobody, nobody)
      chmodSync(dataDir, 0o755)
      const { ended } = run({ DATA_DIR: folder }, isRoot ? nobody : undefined)
      expect(await ended).toEqual(refusal(new RegExp(`${name} cannot be written.*must belong to`)))
    }
  })

  test.runIf(canTry)('data folder without the right to write', async () => {
    chmodSync(dataDir, 0o755)
    const locked = join(dataDir, 'locked')
    mkdirSync(locked, { mode: 0o555 })
    const uid = isRoot ? nobody : undefined
    expect(await run({ DATA_DIR: locked }, uid).ended).toEqual(
      refusal(/data folder .*cannot be written/),
    )
  })

  test('R7: a second process on the same folder, until the first one is killed', async () => {
    await prepare()
    const first = run()
    await first.ready
    expect(await run().ended).toEqual(refusal(/already running/))
    // The first one does not mind.
    const health = await fetch(`${await first.ready}/api/health`)
    expect(health.status).toBe(200)
    first.kill('SIGKILL')
    await first.ended
    await expect(run().ready).resolves.toMatch(/^http:/)
  })

  test('folder in place of a file', async () => {
    for (const name of ['octavo.db', 'catalogue.db', 'sources.db']) {
      const folder = mkdtempSync(join(dataDir, 'mixed-up-'))
      mkdirSync(join(folder, name))
      const { ended } = run({ DATA_DIR: folder })
      expect(await ended).toEqual(refusal(new RegExp(`${name} is a folder where a file belongs`)))
    }
  })

  test('database of a newer version', async () => {
    await copyLibrary(join(dataDir, 'octavo.db'))
    const database = openSqlite(join(dataDir, 'octavo.db'))
    await database.transaction((tx) =>
      tx.query(`INSERT INTO _migrations VALUES (10000, 'of tomorrow', '')`),
    )
    await database.close()
    expect(await run().ended).toEqual(refusal(/was used by a newer Octavo/))
  })

  test.runIf(canMount)('full disk, which is named', async () => {
    const full = mkdtempSync(join(dataDir, 'full-'))
    const fill = `mount -t tmpfs -o size=256k tmpfs '${full}'; head -c 1m /dev/zero >'${full}/x'`
    const through = ['-rm', 'sh', '-c', `${fill} 2>/dev/null; exec "$@"`, 'sh', process.execPath]
    const { ended } = run({ DATA_DIR: full }, undefined, [...through, start], 'unshare')
    expect(await ended).toEqual(refusal(new RegExp(`the disk of ${full} is full: make room`)))
  })

  test.runIf(canMount)('screens that are not built where nothing can be written', async () => {
    const hide = [
      `mount --bind '${root}' '${root}'`,
      `mount -o remount,ro,bind '${root}'`,
      `mount -t tmpfs tmpfs '${root}/build'`,
      `cd '${root}'`,
      'exec "$@"',
    ]
    const words = ['-rm', 'sh', '-c', hide.join(' && '), 'sh', process.execPath, start]
    expect(await run({}, undefined, words, 'unshare').ended).toEqual(
      refusal(/screens are not built yet, and \S+ cannot be written: run npm run build there/),
    )
  })

  test('no database at the given address', async () => {
    const url = new URL(await newPostgresUrl())
    url.pathname = '/nowhere'
    expect(await run({ DATABASE_URL: url.href }).ended).toEqual(
      refusal(/database cannot be opened.*DATABASE_URL/),
    )
  })
})

describe('a start that succeeds', () => {
  test('makes what it needs, readable by its owner alone where it is secret', async () => {
    if (isRoot) chownSync(dataDir, nobody, nobody)
    const server = run({ DATA_DIR: join(dataDir, 'new') })
    await server.ready
    expect(statSync(join(dataDir, 'new', 'octavo.db')).size).toBeGreaterThan(0)
    expect(modes(['new', 'new/secret'])).toEqual(['700', '600'])
  })

  test.runIf(process.platform !== 'win32')(
    'lets nobody else read in a folder that others may look into, which it leaves so',
    async () => {
      await copyStarterIndex(dataDir)
      chmodSync(dataDir, 0o755)
      const server = run()
      await server.ready
      const files = ['octavo.db', 'octavo.db-wal', 'octavo.lock', 'secret', 'sources.db']
      expect(modes(['', ...files])).toEqual(['755', ...files.map(() => '600')])
      server.kill('SIGTERM')
      await server.ended
      // What the operator has said since stands.
      chmodSync(join(dataDir, 'octavo.db'), 0o640)
      await run().ready
      expect(modes(['octavo.db', 'octavo.db-wal'])).toEqual(['640', '640'])
    },
  )

  test('answers, then ends with 0 at SIGTERM, and starts again on the same data', async () => {
    await prepare()
    const first = run()
    expect((await fetch(`${await first.ready}/`)).status).toBe(200)
    first.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 0, lines: [] })

    const second = run()
    const stream = await fetch(`${await second.ready}/api/realtime`)
    expect(stream.status).toBe(200)
    second.kill('SIGTERM')
    // It finishes its answers. An event stream would go on for ever: it is told to end, not cut with
    // an error.
    await expect(stream.text()).resolves.toContain('PB_CONNECT')
    expect((await second.ended).code).toBe(0)
  })

  test('keeps its data in PostgreSQL when told to', async () => {
    await copyStarterIndex(dataDir)
    const server = run({ DATABASE_URL: await newPostgresUrl() })
    expect((await fetch(`${await server.ready}/api/health`)).status).toBe(200)
    expect(() => statSync(join(dataDir, 'octavo.db'))).toThrow('ENOENT')
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })
})

// 8 s: Vite reads and compiles every source.
test('npm run dev draws the screens from their sources', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { dev: string }
  }
  const [exec, launcher, program, ...args] = scripts.dev.split(' ')
  expect([exec, launcher, program]).toEqual(['exec', './with-node', 'node'])
  const url = await run({}, undefined, args).ready
  const answer = await fetch(`${url}/pricing`)
  expect(await answer.text()).toContain('Premium Scholar')
  expect(answer.status).toBe(200)
})

test('the demo fills the data folder it is given, once', async () => {
  const readers = async (url: string) => {
    const answer = (await (await fetch(`${url}/api/v1/users`)).json()) as {
      data: { totalItems: number }
    }
    return answer.data.totalItems
  }
  await copyStarterIndex(dataDir)
  const first = run({}, undefined, [start, '--demo'])
  const filled = await readers(await first.ready)
  expect(filled).toBeGreaterThan(3)
  first.kill('SIGTERM')
  await first.ended
  const again = run({}, undefined, [start, '--demo'])
  expect(await readers(await again.ready)).toBe(filled)
  again.kill('SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0 })
  expect(await readers(await run().ready)).toBe(filled)
})

test('the command that runs the tests says what it takes, and runs none', async () => {
  const args = [join(root, 'tests/run.ts'), '--help']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect(stdout).toMatch(/^npm test -- /)
  expect(stdout).not.toContain('passed')
})
