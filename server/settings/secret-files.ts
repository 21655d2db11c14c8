import { readFileSync } from 'node:fs'
import { failureMessage } from '../runtime/failure.ts'

/**
 * Adds the secrets that are in files: `NAME_FILE` names the file with the value of `NAME`, as
 * containers and systemd hand secrets over.
 *
 * @param given the settings by name, completed in place
 * @param names the settings that can be in files
 * @returns what is wrong, a sentence each
 */
export function readSecretFiles(
  given: Record<string, string | undefined>,
  names: readonly string[],
): string[] {
  return names.flatMap((name) => {
    const file = given[`${name}_FILE`]
    if (!file) return []
    if (given[name]) return [`${name} and ${name}_FILE are both set: unset one of them`]
    try {
      const value = readFileSync(file, 'utf8').trim()
      given[name] = value
      return value ? [] : [`${name}_FILE names an empty file: ${file}`]
    } catch (error) {
      return [`${name}_FILE cannot be read: ${failureMessage(error)}`]
    }
  })
}
