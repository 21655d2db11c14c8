import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const nobody = 65_534

/** Starts below the priority, as an account that may not raise it. @returns its niceness afterwards */
async function yielded(niceness: number): Promise<string> {
  const module = JSON.stringify(join(import.meta.dirname, 'yield-to-requests.ts'))
  const script = `const { yieldToRequests } = await import(${module})
yieldToRequests(${niceness})
console.log((await import('node:os')).getPriority())`
  const args = ['-n', '15', process.execPath, '--input-type=module', '-e', script]
  const account = process.getuid?.() === 0 ? { uid: nobody } : {}
  const { stdout } = await promisify(execFile)('nice', args, account)
  return stdout.trim()
}

test.runIf(process.platform === 'linux')(
  'yields further, and stays where it is if it runs below that already',
  async () => {
    const started = Math.min(19, getPriority() + 15)
    expect([await yielded(19), await yielded(10)]).toEqual(['19', String(started)])
  },
)
