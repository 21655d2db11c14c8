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
import { lockTimeout } from '../index/schema.ts'

interface Making {
  /** A file that the draft attaches as `staged`. */
  staged?: string
  /** Runs a job in parallel; by default jobs run one after the other. */
  runJob?: (job: DraftJob) => Promise<void>
}

/**
 * Writes a new index next to the old one, checks it, and renames it into place, so that the name
 * always refers to a complete index.
 *
 * @param file of the index; its folder must exist
 * @param write fills the empty draft
 * @throws if the folder can't be written or the new file fails SQLite's integrity check; the old
 *   file then stays
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
      await draft.seal(file)
    } finally {
      draft.db.close()
    }
    putInPlace(path, file)
  } finally {
    for (const end of draftFiles) rmSync(path + end, { force: true })
  }
}

/** The suffix of a draft's name, before those of its other files. */
const ofDraft = '.new'
const draftFiles = ['', '-wal', '-shm', '-timeline']

/** Milliseconds without a write after which a draft counts as left by a killed process. */
const abandonedAfter = 3_600_000

function removeAbandoned(file: string): void {
  const folder = dirname(file)
  // The write reports a missing folder.
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`) || !name.includes(ofDraft)) continue
    const draft = join(folder, name)
    const found = statSync(draft, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > abandonedAfter) rmSync(draft, { force: true })
  }
}

/**
 * The old file must have no writer meanwhile: after a crash its journal, which has the same name,
 * would be applied to the new file.
 */
function putInPlace(path: string, file: string): void {
  syncToDisk(path)
  const old = lockedAgainstWriters(file)
  try {
    if (old === null) for (const left of ['-journal', '-wal']) rmSync(file + left, { force: true })
    // Windows can't rename over an open file.
    if (process.platform === 'win32') old?.close()
    renameSync(path, file)
    syncToDisk(dirname(file))
  } finally {
    if (old?.isOpen) old.close()
  }
}

/** @returns null if there is no such file or it isn't a database */
function lockedAgainstWriters(file: string): DatabaseSync | null {
  if (!existsSync(file)) return null
  const db = new DatabaseSync(file, { timeout: lockTimeout })
  try {
    db.exec('BEGIN IMMEDIATE; SELECT count(*) FROM sqlite_schema')
    return db
  } catch (error) {
    db.close()
    if (isLocked(error)) throw error
    return null
  }
}

/** Whether another process has the file: SQLITE_BUSY or SQLITE_LOCKED, with any extension. */
const isLocked = (error: unknown) =>
  error instanceof Error && 'errcode' in error && [5, 6].includes(Number(error.errcode) & 0xff)

function syncToDisk(path: string): void {
  // Windows can't open folders; its rename is durable enough.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
