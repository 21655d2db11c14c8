import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError, settings } from './config.ts'
import { failureMessage } from '../runtime/failure.ts'

/** Next to package.json. */
const file = join(import.meta.dirname, '../../.env')

/**
 * Adds the settings of the `.env` file to the process's environment. Variables that are already
 * set, even to an empty value, stay as they are.
 *
 * @throws ConfigError if the file exists but cannot be read
 */
export function loadSettings(): void {
  if (!existsSync(file)) return
  try {
    const text = readFileSync(file, 'utf8')
    const values = parseEnv(text)
    refuseOtherLines(text, values)
    for (const [name, value] of Object.entries(values)) process.env[name] ??= value
  } catch (error) {
    throw new ConfigError(`The settings in ${file} cannot be read: ${failureMessage(error)}`, {
      cause: error,
    })
  }
}

/**
 * `parseEnv` skips what it doesn't understand, such as `SMTP_URL: smtp://…`, and the setting would
 * be missed without a word.
 *
 * @param values what was read from the text
 * @throws an error with the line's number only, as it may hold a password
 */
export function refuseOtherLines(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
): void {
  const longValues = Object.values(values).filter((value) => value?.includes('\n'))
  const wrong = text.split(/\r?\n/).flatMap((line, at) => {
    const isKnown = /^\s*(?:$|#|(?:export\s+)?[a-z_][\w.-]*\s*=)/i.test(line)
    // The lines of a quoted value may be anything.
    const isPart = longValues.some((value) =>
      value!.split('\n').includes(line.replace(/["'`]\s*(?:#.*)?$/, '')),
    )
    return isKnown || isPart ? [] : [at + 1]
  })
  if (wrong.length)
    throw new Error(
      `${wrong.length === 1 ? 'line' : 'lines'} ${wrong.join(', ')} must be NAME=value`,
    )
}

/** @returns the data folder as it was given, unchecked: for messages about a failed command */
export const dataFolder = (): string => process.env['DATA_DIR'] || 'data'

/**
 * Has SQLite write its temporary files into a folder: the system's own may be small, or in memory.
 */
export function keepSqliteFilesIn(folder: string): void {
  process.env['SQLITE_TMPDIR'] = folder
}

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
