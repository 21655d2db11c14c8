import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The machine's own temporary folder, for the few things that outlast a run. */
    lastingFolder: string
  }
}

/**
 * Vitest calls this before all tests: whatever the run and what it starts put into the temporary
 * folder is in a folder of its own, which ends with the run, also where a process was killed.
 */
export default function setup(project: TestProject): () => void {
  if (existsSync(join(dirname(import.meta.dirname), '.env')))
    throw new Error('Move .env away: the tests would use the database and the mail server it names')
  const lasting = tmpdir()
  project.provide('lastingFolder', lasting)
  const folder = mkdtempSync(join(lasting, 'octavo-run-'))
  // Some of what is started runs as another account.
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  // Threads take it over: each would load its own TypeScript compiler.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled')
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  return () => {
    process.removeListener('exit', remove)
    process.env['TMPDIR'] = lasting
    delete process.env['NODE_COMPILE_CACHE']
    remove()
  }
}
