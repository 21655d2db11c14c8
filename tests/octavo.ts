import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { childEnv } from './child-env.ts'
import { copyLibrary, copyStarterIndex } from './prepared.ts'

const root = dirname(import.meta.dirname)
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}

const argumentsIn = (program: string) =>
  scripts.start
    .replace(/^exec \.\/with-node node /, '')
    .split(' ')
    .map((word) => (/^[^-].*\.[jt]s$/.test(word) ? join(program, word) : word))

/** What Node is given by `npm start`, with paths from any folder. */
export const startArguments = argumentsIn(root)

/** The product as a user runs it: a process of its own. */
export interface Octavo {
  readonly url: string
  readonly process: ChildProcess
  /** Its data folder. */
  readonly dataDir: string
  /** Everything it has printed so far. */
  output(): string
  /** Asks it to stop; its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts Octavo on a free port with a new data folder, which is removed when it stops. The folder has
 * the index of the starter books and an empty library, and compiled code is shared by the starts of a
 * run: making them is most of a first start, which tests/start.test.ts looks at.
 *
 * @param env settings on top of the defaults
 * @param through a command that is given Octavo's own as its last words, and becomes it
 * @param program the folder of another program than this one
 * @param onOutput called with what it prints, as it starts and later
 * @throws with what it printed when it exits before it is ready
 */
export async function startOctavo(
  env: Record<string, string> = {},
  through: readonly string[] = [],
  program = root,
  onOutput: (text: string) => void = () => undefined,
): Promise<Octavo> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-data-'))
  if (!env['DATA_DIR']) {
    await copyStarterIndex(folder)
    if (!env['DATABASE_URL']) await copyLibrary(join(folder, 'octavo.db'))
  }
  const [command = process.execPath, ...words] = [
    ...through,
    process.execPath,
    ...argumentsIn(program),
  ]
  const child = spawn(command, words, {
    env: {
      ...childEnv,
      TMPDIR: tmpdir(),
      PORT: '0',
      DATA_DIR: folder,
      CATALOGUE_SOURCES: '',
      LOG_LEVEL: 'warn',
      // A test is busier than any reader at one address.
      RATE_LIMITS: 'off',
      // Books stay as a test has entered them.
      COMPLETE_BOOKS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    function read(chunk: Buffer): void {
      printed += chunk.toString()
      onOutput(chunk.toString())
      const ready = /^Octavo is ready: (\S+)$/m.exec(printed)?.[1]
      if (ready) resolve(ready)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`Octavo ended with ${code}: ${printed}`)))
  })
  return {
    url,
    process: child,
    dataDir: env['DATA_DIR'] ?? folder,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM')
      const code = await exited
      rmSync(folder, { recursive: true, force: true })
      return code
    },
  }
}
