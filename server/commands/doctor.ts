import { runChecks } from '#server/health/checks.ts'
import { openLibrary } from '#server/open/open-library.ts'
import { version } from '#server/runtime/version.ts'
import { readConfig } from '#server/settings/config.ts'
import { runCommand } from './command.ts'

await runCommand(
  'npm run doctor --',
  {
    about: 'Checks settings, data folder, database, disk, mail and the storage of pictures.',
    options: {
      deep: { type: 'boolean', about: 'compares the stored pictures with the database' },
      mail: { type: 'string', value: 'address', about: 'sends a test email there' },
    },
    async run({ options: { deep, mail } }) {
      const config = readConfig({ ...process.env })
      console.log(`ok     Octavo: version ${version}, Node ${process.versions.node}`)
      console.log('ok     Settings: all are valid')
      let isWell = true
      const options = {
        open: () => openLibrary(config),
        mailTo: mail?.toString(),
        isDeep: deep === true,
      }
      for await (const found of runChecks(config, options)) {
        isWell &&= found.isWell
        const { name, message, advice } = found
        console.log(
          found.isWell
            ? `ok     ${name}: ${message}`
            : `WRONG  ${name}: ${message}. To do: ${advice}`,
        )
      }
      return isWell ? 0 : 1
    },
  },
  process.argv.slice(2),
)
