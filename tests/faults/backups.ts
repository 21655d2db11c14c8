import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import { onTestFinished } from 'vitest'
import { childEnv } from '#tests/child-env.ts'
import { runModule } from '#tests/run-module.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/backup.ts')

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the command as npm does. */
export async function runCommand(
  deed: 'backup' | 'restore',
  place: string,
  env: Record<string, string>,
) {
  const child = spawn(process.execPath, [command, deed, place], {
    env: { ...childEnv, ...env },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code: code as number, said }
}

/** The same within this process. */
export async function tryCommand(
  deed: 'backup' | 'restore',
  place: string,
  env: Record<string, string>,
) {
  const { code, said, failed } = await runModule(command, [deed, place], env)
  return { code, said: said + failed }
}

/**
 * Adds books until one is refused.
 *
 * @returns those the server acknowledged, as they come, and the end of it
 */
export function keepAddingBooks(client: PocketBase, shelf: string) {
  const acknowledged: RecordModel[] = []
  const done = (async () => {
    for (let n = 0; ; n++) {
      const book = await client
        .collection('user_books')
        .create({ title: `Volume ${n}`, shelf, page_count: 300, status: 'reading' })
      acknowledged.push(book)
    }
  })()
  // A failure is reported where it is waited for.
  done.catch(() => undefined)
  return { acknowledged, done }
}

const hasPgDump = spawnSync('pg_dump', ['--version']).status === 0
/** The databases whose tools are installed. */
export const engines = [
  { engine: 'SQLite', possible: true },
  { engine: 'PostgreSQL', possible: hasPgDump },
]
