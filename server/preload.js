// Loaded before everything else by `npm start`. Plain JavaScript, as TypeScript that is not in the
// compile cache loads a compiler of 18 MB, which stays.
import { existsSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) giveMemoryBack()

const folder = process.env['DATA_DIR'] ?? settings()['DATA_DIR']
const dataDir = folder || 'data'
// A folder that is not there yet is made, and checked, by the start itself.
if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'compiled'))

/**
 * Has glibc return freed memory to the system, which keeps twice as much otherwise. It reads these
 * settings once, so the process begins again with them. An operator's own settings stay.
 */
function giveMemoryBack() {
  const { platform, env, execPath, execArgv, argv } = process
  if (platform !== 'linux' || env['MALLOC_ARENA_MAX'] !== undefined) return
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
    ...env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '131072',
  })
}

function settings() {
  try {
    return parseEnv(readFileSync(join(import.meta.dirname, '../.env'), 'utf8'))
  } catch {
    // There is none, or the start says what is wrong with it.
    return {}
  }
}
