import { spawn } from 'node:child_process'

/**
 * Writes what one snapshot of a PostgreSQL database holds to a file.
 *
 * @param snapshot exported by a transaction that is still open
 * @throws in words an operator can act on
 */
export function dumpPostgres(url: string, snapshot: string, file: string): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges']
  return run('pg_dump', url, [...options, `--snapshot=${snapshot}`, `--file=${file}`])
}

/** Fills an empty PostgreSQL database with a dump, whole or not at all. */
export function fillPostgres(url: string, file: string): Promise<void> {
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  return run('pg_restore', url, [...options, file])
}

/** The password travels in the environment: arguments are seen by everybody on the machine. */
async function run(command: string, url: string, options: string[]): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const child = spawn(command, [`--dbname=${address.href}`, ...options], {
    env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Error(`${command} was not found; it comes with PostgreSQL's client programs`)
          : error,
      ),
    )
  })
  if (code !== 0) throw new Error(`${command} failed: ${said.trim() || `it ended with ${code}`}`)
}
