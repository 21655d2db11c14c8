import '../node-env.ts'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { backUp } from './back-up.ts'
import type { Manifest } from './manifest.ts'
import { restore } from './restore.ts'

/** `npm run backup -- [folder]` and `npm run restore -- <backup>`, with the server's environment. */
const [deed, place] = process.argv.slice(2)

try {
  const config = readConfig({ ...process.env })
  if (deed === 'restore') {
    if (!place) throw new Error('say which backup: npm run restore -- <folder>')
    const manifest = await restore(config, resolve(place))
    console.log(`Restored into ${config.dataDir}: ${contents(manifest)}`)
  } else {
    const { folder, manifest } = await backUp(config, resolve(place ?? 'backups'))
    console.log(`Backed up to ${folder}: ${contents(manifest)}`)
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  const what = deed === 'restore' ? 'Nothing was restored' : 'Nothing was backed up'
  console.error(`${what}: ${message.replaceAll(/\s*\n\s*/g, ' ')}`)
  process.exitCode = 1
}

function contents({ taken, database, pictures }: Manifest): string {
  const engine = database === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const noun = pictures.count === 1 ? 'picture' : 'pictures'
  return `the ${engine} database as of ${taken} and ${pictures.count} ${noun}`
}
