import './node-env.ts'
import { catalogueCommand } from '#catalogue/index.ts'
import { ConfigError, readConfig } from './config.ts'
import { makeFolder } from './data-folder.ts'

/** `npm run catalogue:import`, `catalogue:status`, `catalogue:rebuild` and `catalogue:forget`. */
try {
  const { dataDir } = readConfig({ ...process.env })
  makeFolder(dataDir)
  process.exitCode = await catalogueCommand(process.argv.slice(2), dataDir)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
