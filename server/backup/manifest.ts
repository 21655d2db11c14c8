import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

export const manifestFile = 'manifest.json'

const manifest = z.object({
  octavo: z.literal('backup'),
  /** When the database was as it is in the backup; ISO 8601. */
  taken: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  /** Number of the last migration. */
  schema: z.int().min(1),
  /** Uploaded pictures, with their bytes together. */
  pictures: z.object({ count: z.int().min(0), bytes: z.int().min(0) }),
  /** Whether the key that signs sessions is in it; not, where the environment gives it. */
  secret: z.boolean(),
})

/** What a backup says of itself. */
export type Manifest = z.infer<typeof manifest>

/** Where in a backup the database is. */
export const databaseFile = { sqlite: 'octavo.db', postgres: 'octavo.dump' } as const

/** @throws if the folder is no backup of Octavo */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => '')
  const read = manifest.safeParse(parsed(text))
  if (!read.success) throw new Error(`${folder} is not an Octavo backup`)
  return read.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
