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
    const values = readSettings(readFileSync(file, 'utf8'))
    for (const [name, value] of Object.entries(values)) process.env[name] ??= value
  } catch (error) {
    throw new ConfigError(`The settings in ${file} cannot be read: ${failureMessage(error)}`, {
      cause: error,
    })
  }
}

/**
 * Reads the text of a `.env` file. `parseEnv` skips lines that it doesn't understand, such as
 * `SMTP_URL: smtp://…`, and a quotation without its end takes in the lines that follow: in both
 * cases a setting would be missed without a word.
 *
 * @param text may begin with the mark that Windows' editors write before UTF-8
 * @returns the values by name
 * @throws an error with the lines' numbers only, as they may hold a password
 */
export function readSettings(text: string): NodeJS.Dict<string> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const wrong = (isWrong: (line: string) => boolean, how: string) => {
    const numbers = lines.flatMap((line, at) => (isWrong(line) ? [at + 1] : []))
    if (numbers.length)
      throw new Error(
        `${numbers.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')} must ${how}`,
      )
  }
  wrong((line) => !/^\s*(?:$|#)/.test(line) && !assignment.test(line), 'be NAME=value')
  wrong((line) => isUnended(assignment.exec(line)?.[1] ?? ''), 'end with the quotation mark too')
  return parseEnv(lines.join('\n'))
}

const assignment = /^\s*(?:export\s+)?[a-z_][\w.-]*\s*=\s*(.*)$/i

const isUnended = (value: string) => /^["'`]/.test(value) && !value.slice(1).includes(value[0]!)

/** @returns the data folder as it was given, unchecked: for messages about a failed command */
export const dataFolder = (): string => process.env['DATA_DIR'] || 'data'

/**
 * Has SQLite write its temporary files into a folder: the system's own may be small, or in memory.
 */
export function keepSqliteFilesIn(folder: string): void {
  process.env['SQLITE_TMPDIR'] = folder
}

/**
 * Finds variables that look like a mistyped setting, or that name a file for a setting that isn't a
 * secret. Names shorter than eight letters are too close to others, so they must match apart from
 * underscores and plurals.
 *
 * @returns each with the setting that was probably meant
 */
export function findMistypedSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): { name: string; meant: string }[] {
  return Object.keys(env).flatMap((name) => {
    if (settings.includes(name)) return []
    const meant =
      settings.find((setting) => name === `${setting}_FILE`) ??
      settings.find((setting) => isClose(name.toUpperCase(), setting))
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
