import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OnCleanup } from './cleanup.ts'
import { freePort } from './free-port.ts'

const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }

export const hasPgBouncer = !spawnSync('pgbouncer', ['--version'], { env }).error
if (!hasPgBouncer) console.warn('pgbouncer is not installed, and what needs it is skipped')

/**
 * Starts PgBouncer in front of a database of the run's server.
 *
 * @param url of the database, with the socket's folder in `?host=`
 * @param mode PgBouncer's pool_mode
 * @returns the pooler's address
 */
export async function startPgBouncer(
  url: string,
  mode: 'transaction' | 'session' | 'statement',
  onCleanup: OnCleanup,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pgbouncer-'))
  const port = await freePort()
  const { username, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? ''
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
octavo = host=${host} dbname=${pathname.slice(1)} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 5
`,
  )
  // It refuses to run as root, and only the server's own account may enter the socket's folder.
  const { uid } = statSync(host)
  const name = new RegExp(`^([^:]*):[^:]*:${uid}:`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, uid, -1)
  const words = isRoot ? ['-u', name?.[1] ?? '', config] : [config]
  const child = spawn('pgbouncer', words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onCleanup(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (/process up/.test(printed)) resolve()
    })
    child.once('exit', () => reject(new Error(`pgbouncer did not start: ${printed}`)))
  })
  return `postgres://octavo@127.0.0.1:${port}/octavo`
}
