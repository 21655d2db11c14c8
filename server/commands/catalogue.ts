import { catalogueCommand, importFlags } from '#catalogue/index.ts'
import { runCommands, type Command } from './command.ts'
import { readConfig } from '../settings/config.ts'
import { makeFolder } from '../storage/data-folder.ts'

function command(name: string, about: string, options: Command['options'] = {}): Command {
  return {
    options,
    about,
    run({ line }) {
      const { dataDir } = readConfig({ ...process.env })
      makeFolder(dataDir)
      return catalogueCommand([name, ...line], dataDir)
    },
  }
}

await runCommands((name) => `npm run catalogue:${name} --`, {
  import: command('import', 'Builds the catalogue from Open Library dumps.', importFlags),
  status: command('status', 'Shows the contents of the catalogue.'),
  rebuild: command('rebuild', 'Rebuilds the index from the last import.'),
  forget: command('forget', 'Frees the disk space that an import needed.'),
})
