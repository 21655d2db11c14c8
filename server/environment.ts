import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError, settings } from './config.ts'
import { failureMessage } from './failure.ts'

/** Next to package.json. */
const file = join(import.meta.dirname, '../.env')

/**
 * Adds the settings of the `.env` file to the process's environment. Variables that are already
 * set, even to an empty value, stay as they are.
 *
 * @throws ConfigError if the file exists but cannot be read
 */
export function loadSettings(): void {
  if (!existsSync(file)) return
  try {
    for (const [name, value] of Object.entries(parseEnv(readFileSync(file, 'utf8'))))
      process.env[name] ??= value
  } catch (error) {
    throw new ConfigError(`The settings in ${file} cannot be read: ${failureMessage(error)}`, {
      cause: error,
    })
  }
}

/** @returns the data folder as it was given, unchecked: for messages about a failed command */
export const dataFolder = (): string => process.env['DATA_DIR'] || 'data'

/**
 * Finds variables that look like a mistyped setting. Names shorter than eight letters are too close
 * to others, so they must match apart from underscores and plurals.
 *
 * @returns each with the setting that was probably meant
 */
export function findMistypedSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): { name: string; meant: string }[] {
  return Object.keys(env).flatMap((name) => {
    if (settings.includes(name)) return []
    const meant = settings.find((setting) => isClose(name.toUpperCase(), setting))
    return meant ? [{ name, meant }] : []
  })
}

function isClose(name: string, setting: string): boolean {
  if (setting.length >= 7 && skeleton(name) === skeleton(setting)) return true
  if (setting.length < 8 || Math.abs(name.length - setting.length) > 2) return false
  return distance(name, setting) <= (setting.length < 11 ? 1 : 2)
}

/** Without underscores, and in the singular. */
const skeleton = (name: string) => name.replaceAll('_', '').replace(/IES$/, 'Y').replace(/S$/, '')

/** The edit distance with swaps (Damerau–Levenshtein). */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1]!
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
