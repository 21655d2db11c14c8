import { randomUUID } from 'node:crypto'
import { format } from 'node:util'
import { vi } from 'vitest'
import { childEnv } from './child-env.ts'

/**
 * Runs a command's module in this process, as Node would with arguments and an environment. To start
 * a process takes a third of a second; what reads standard input needs one.
 */
export async function runModule(
  file: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ code: unknown; said: string; failed: string }> {
  const { argv, env } = process
  const said: string[] = []
  const failed: string[] = []
  const into =
    (lines: string[]) =>
    (...parts: unknown[]) =>
      void lines.push(format(...parts))
  const log = vi.spyOn(console, 'log').mockImplementation(into(said))
  const error = vi.spyOn(console, 'error').mockImplementation(into(failed))
  process.argv = [process.execPath, file, ...words]
  process.env = { ...childEnv, ...settings }
  try {
    // Another address each time, so that it runs again.
    await import(/* @vite-ignore */ `${file}?run=${randomUUID()}`)
    return { code: process.exitCode ?? 0, said: said.join('\n'), failed: failed.join('\n') }
  } finally {
    log.mockRestore()
    error.mockRestore()
    process.argv = argv
    process.env = env
    process.exitCode = undefined
  }
}
