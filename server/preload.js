// Loaded before everything else by `npm start`. Plain JavaScript, as TypeScript that is not in the
// compile cache loads a compiler of 18 MB, which stays.
import { existsSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

const folder = process.env['DATA_DIR'] ?? settings()['DATA_DIR']
const dataDir = folder || 'data'
// A folder that is not there yet is made, and checked, by the start itself.
if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'compiled'))

function settings() {
  try {
    return parseEnv(readFileSync(join(import.meta.dirname, '../.env'), 'utf8'))
  } catch {
    // There is none, or the start says what is wrong with it.
    return {}
  }
}
