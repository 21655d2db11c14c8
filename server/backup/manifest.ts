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
  /** Storage keys of pictures that the database names but the backup lacks, as they were lost. */
  missing: z.array(z.string()).default([]),
  /** The id of the schedule that made it; absent if somebody did. */
  schedule: z.string().optional(),
  /** Whether it holds the key that signs sessions; false if the environment sets it. */
  secret: z.boolean(),
})

/** The contents of a backup's `manifest.json`. */
export type Manifest = z.infer<typeof manifest>

/** Lost pictures named in a message. */
const maxNamed = 10

/** @returns the number and keys of the pictures that a backup lacks */
export function lostPictures({ missing }: Manifest): string {
  const noun = missing.length === 1 ? 'picture, which was' : 'pictures, which were'
  const rest = missing.length - maxNamed
  const more = rest > 0 ? ` and ${rest} more, which ${manifestFile} lists` : ''
  return `${missing.length} ${noun} missing or damaged: ${missing.slice(0, maxNamed).join(', ')}${more}`
}

/** The database's file in a backup. */
export const databaseFile = { sqlite: 'octavo.db', postgres: 'octavo.dump' } as const

/** @throws if the folder isn't an Octavo backup, or this account can't read it */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: unknown) => {
    if (isForbidden(error)) throw error
    return ''
  })
  const read = manifest.safeParse(parsed(text))
  if (!read.success) throw new Error(`${folder} is not an Octavo backup`)
  return read.data
}

/** @returns whether this account lacks the permission */
export function isForbidden(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
