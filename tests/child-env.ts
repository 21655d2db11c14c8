import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The environment of a program that a test starts: nothing of the machine's own but where programs
 * are, and compiled code that all of a run share.
 */
export const childEnv = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'compiled'),
}
