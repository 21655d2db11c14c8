import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

export const manifestFile = 'manifest.json'

const manifest = z.object({
  octavo: z.literal('backup'),
  /** When the snapshot was taken; ISO 8601. */
  taken: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  /** Number of the last migration. */
  schema: z.int().min(1),
  /** Uploaded pictures and their total bytes. */
  pictures: z.object({ count: z.int().min(0), bytes: z.int().min(0) }),
  /** Whether it holds the key that signs sessions; false if the environment sets it. */
  secret: z.boolean(),
})

/** The contents of a backup's `manifest.json`. */
export type Manifest = z.infer<typeof manifest>

/** The database's file in a backup. */
export const databaseFile = { sqlite: 'octavo.db', postgres: 'octavo.dump' } as const

/** @throws if the folder isn't an Octavo backup */
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
