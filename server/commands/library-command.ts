import type { Database } from '#records/index.ts'
import { openLibrary } from '#server/open/open-library.ts'
import { readConfig, type Config } from '#server/settings/config.ts'
import type { Arguments, Command } from './command.ts'

/**
 * A command that works on the library's tables alone.
 *
 * @param work returns the text to print
 */
export function libraryCommand(
  about: Omit<Command, 'run'>,
  work: (database: Database, given: Arguments, config: Config) => Promise<string>,
): Command {
  return {
    ...about,
    async run(given) {
      const config = readConfig({ ...process.env })
      await using database = await openLibrary(config)
      console.log(await work(database, given, config))
    },
  }
}
