import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { IndexDraft, DraftJob } from './draft.ts'
import { runDraftJob, openDraft } from './draft.ts'

/** How long a reader or writer of the old file may take to let go of it, in milliseconds. */
export const lockTimeout = 10_000

interface Making {
  /** A file that the draft can read under the name `staged`. */
  staged?: string
  /** Does a part of the work beside the rest; all is done one after the other unless told. */
  runJob?: (job: DraftJob) => Promise<void>
}

/**
 * Writes a search index as a new file beside the old one, checks it and puts it in the old one's
 * place in one step: whoever opens the name finds either the whole old index or the whole new one.
 *
 * @param file where the index shall stand; its folder must exist
 * @param write fills the draft, which holds no works yet
 * @throws when the folder cannot be written or the written file does not pass SQLite's own check;
 * the old file is then still there
 */
export async function replaceIndex(
  file: string,
  write: (draft: IndexDraft) => Promise<void>,
  { staged, runJob = async (job) => runDraftJob(job) }: Making = {},
): Promise<void> {
  removeAbandoned(file)
  const path = `${file}.${randomBytes(6).toString('hex')}${ofDraft}`
  try {
    const draft = openDraft(path, runJob, staged)
    try {
      await write(draft)
      await draft.seal()
    } finally {
      draft.db.close()
    }
    putInPlace(path, file)
  } finally {
    for (const end of draftFiles) rmSync(path + end, { force: true })
  }
}

/** How the name of a draft ends, and what stands behind it in those of its other files. */
const ofDraft = '.new'
const draftFiles = ['', '-wal', '-shm', '-timeline']

/** A draft that nobody has written to for so long, in milliseconds, was left by a killed process. */
const abandonedAfter = 3_600_000

function removeAbandoned(file: string): void {
  const folder = dirname(file)
  // That it is missing is said by whoever writes to it.
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`) || !name.includes(ofDraft)) continue
    const draft = join(folder, name)
    const found = statSync(draft, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > abandonedAfter) rmSync(draft, { force: true })
  }
}

/**
 * No writer may be at the old file meanwhile: the journal it would leave in a crash bears the
 * file's name, and would be taken for the new file's.
 */
function putInPlace(path: string, file: string): void {
  syncToDisk(path)
  const old = lockedAgainstWriters(file)
  try {
    if (old === null) for (const left of ['-journal', '-wal']) rmSync(file + left, { force: true })
    // Windows renames over no open file; alone in its folder, Octavo has let go of it.
    if (process.platform === 'win32') old?.close()
    renameSync(path, file)
    syncToDisk(dirname(file))
  } finally {
    if (old?.isOpen) old.close()
  }
}

/** @returns null when there is no such file, or it is no database */
function lockedAgainstWriters(file: string): DatabaseSync | null {
  if (!existsSync(file)) return null
  const db = new DatabaseSync(file, { timeout: lockTimeout })
  try {
    db.exec('BEGIN IMMEDIATE; SELECT count(*) FROM sqlite_schema')
    return db
  } catch (error) {
    db.close()
    if (error instanceof Error && error.message.includes('locked')) throw error
    return null
  }
}

function syncToDisk(path: string): void {
  // Windows does not open folders; its rename is durable enough without.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
