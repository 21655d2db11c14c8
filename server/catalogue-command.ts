import './node-env.ts'
import { mkdirSync } from 'node:fs'
import { catalogueCommand } from '#catalogue/index.ts'
import { ConfigError, readConfig } from './config.ts'

/** `npm run catalogue:import`, `catalogue:status`, `catalogue:rebuild` and `catalogue:forget`. */
try {
  const { dataDir } = readConfig({ ...process.env })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  process.exitCode = await catalogueCommand(process.argv.slice(2), dataDir)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
