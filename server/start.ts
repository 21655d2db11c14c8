import './settings/node-env.ts'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { runCommand } from './commands/command.ts'
import { readConfig, type Config } from './settings/config.ts'
import { openDataFolder, StartError, temporaryFolder } from './storage/data-folder.ts'
import { isSystemError, failureMessage } from './runtime/failure.ts'
import { programFolder } from '#server/pages/web-build.ts'

await runCommand(
  'npm start --',
  {
    about: 'Starts Octavo.',
    failure: 'Octavo cannot start',
    options: {
      demo: { type: 'boolean', about: 'with sample readers, in a temporary folder' },
      dev: { type: 'boolean', about: 'with screens that are replaced as they are edited' },
    },
    async run({ options: { demo, dev } }) {
      // The demo uses a temporary folder unless DATA_DIR names one.
      const env = { ...process.env }
      if (demo) {
        env['DATABASE_URL'] = env['DATABASE_DIRECT_URL'] = ''
        if (!env['DATA_DIR']) env['DATA_DIR'] = temporaryFolder()
      }
      const config = readConfig(env)
      await start(config, { demo: demo === true, dev: dev === true }).catch((error: unknown) => {
        console.error(
          `Octavo cannot start: ${failureMessage(error, [config.dataDir, programFolder])}`,
        )
        // The message says all about an operator's mistake; for anything else print the stack.
        if (!(error instanceof StartError || isSystemError(error))) console.error(error)
        process.exit(1)
      })
    },
  },
  process.argv.slice(2),
)

async function start(config: Config, options: { demo: boolean; dev: boolean }): Promise<void> {
  const folder = openDataFolder(config.dataDir)
  // Compiling the modules takes most of a start, so the rest is imported with a compile cache.
  enableCompileCache(join(config.dataDir, 'compiled'))
  const { serve } = await import('#server/startup/serve.ts')
  await serve(config, folder, options)
  flushCompileCache()
}
