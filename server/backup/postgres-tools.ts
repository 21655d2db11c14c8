import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { stopChildWithParent } from '../runtime/signals.ts'

/**
 * Dumps one snapshot of a PostgreSQL database to a file.
 *
 * @param snapshot exported by a transaction that is still open
 * @throws in words an operator can act on
 */
export function dumpPostgres(url: string, snapshot: string, file: string): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges']
  return run('pg_dump', url, [...options, `--snapshot=${snapshot}`, `--file=${file}`])
}

/** Restores a dump into an empty PostgreSQL database, in one transaction. */
export function restorePostgres(url: string, file: string): Promise<void> {
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  return run('pg_restore', url, [...options, file])
}

/**
 * Reads a table of a dump without a server.
 *
 * @returns its rows as objects of the columns' text in COPY's format
 */
export async function readDumpedTable(
  file: string,
  table: string,
): Promise<Record<string, string>[]> {
  let columns: string[] | undefined
  const rows: Record<string, string>[] = []
  await execute('pg_restore', ['--data-only', `--table=${table}`, '--file=-', file], {}, (line) => {
    if (!columns) columns = /^COPY .*?\((.*)\) FROM stdin;$/.exec(line)?.[1]?.split(', ')
    else if (line === '\\.') columns = undefined
    else {
      const values = line.split('\t')
      rows.push(Object.fromEntries(columns.map((name, at) => [name, values[at] ?? ''])))
    }
  })
  return rows
}

/** The password goes into the environment: arguments are visible to everybody on the machine. */
async function run(command: string, url: string, options: string[]): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const env = password ? { PGPASSWORD: password } : {}
  await execute(command, [`--dbname=${address.href}`, ...options], env)
}

/** @param onLine called with each line of the program's output */
async function execute(
  command: string,
  options: string[],
  env: Record<string, string>,
  onLine?: (line: string) => void,
): Promise<void> {
  const child = spawn(command, options, {
    env: { ...process.env, ...env },
    stdio: ['ignore', onLine ? 'pipe' : 'ignore', 'pipe'],
  })
  stopChildWithParent(child)
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  if (child.stdout && onLine) createInterface({ input: child.stdout }).on('line', onLine)
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
  if (code !== 0) throw new Error(`${command} failed: ${stderr.trim() || `exit code ${code}`}`)
}
