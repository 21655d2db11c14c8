import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { whileRenewing, type Jobs } from '#server/runtime/jobs.ts'
import type { Stored } from '#server/collections/stored.ts'
import type { Plan } from '#shared/plan.ts'
import { named, number, text, type Database } from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import type { AdminJobs } from '#shared/admin.ts'
import type { ImportFormat, ImportState } from '#shared/import.ts'
import { applyImport } from './apply-import.ts'
import {
  claimImport,
  claimLife,
  forgetDeleted,
  releaseImport,
  renewClaim,
  triesAtMost,
} from './claims.ts'
import { deleteRows, giveBack } from './give-back.ts'
import { ImportError } from './import-error.ts'
import { readImport, type ImportDeps } from './read-import.ts'
import { undoImport } from './undo-import.ts'

export type QueueDeps = Omit<ImportDeps, 'signal'> & {
  planDefault: Plan
  log: Pick<Logger, 'error'>
}

/** An import with work to do. */
interface Pending {
  id: string
  /** '' once the import is deleted. */
  user: string
  state: string
}

/** The condition of the index imports_busy. */
const isBusy = sql`(state IN ('reading', 'applying', 'undoing')
  OR (file <> '' AND state IN ('failed', 'done', 'undone')))`

/** The most imports under way that are listed. */
const maxListed = 100

/** @returns the imports that readers wait for, the oldest first, without what is in their files */
export async function listUnderWay(database: Database): Promise<AdminJobs['imports']> {
  const rows = await query(
    database,
    sql`SELECT imports.id, users.username, imports.format, imports.state, imports.total,
        imports.applied + imports.skipped, imports.created
      FROM imports JOIN users ON users.id = imports."user"
      WHERE ${isBusy} AND state IN ('reading', 'applying', 'undoing')
      ORDER BY imports.updated, imports.id LIMIT ${sql.lit(maxListed)}`,
  )
  return named(rows, {
    id: text,
    username: text,
    format: (format) => String(format) as ImportFormat | '',
    state: (state) => String(state) as ImportState,
    total: number,
    done: number,
    created: text,
  })
}

/**
 * The imports that have work to do: several at a time but one of each reader, and the readers in
 * turn. Their parts that this thread does take turns, too; see `throttle`.
 */
export class ImportQueue implements Jobs<Pending> {
  /** Of different readers. Each can have a thread with up to 256 MB. */
  readonly concurrency = 4
  readonly #deps: QueueDeps
  readonly #only: string | undefined
  /** The imports under way, each with what stops it. */
  readonly #underWay = new Map<string, { job: Pending; stop: AbortController }>()
  /** When each reader's latest import was begun, as a serial number. */
  readonly #served = new Map<string, number>()
  #serial = 0

  /** @param only the id of the only import to run */
  constructor(deps: QueueDeps, only?: string) {
    this.#deps = deps
    this.#only = only
  }

  async next(): Promise<Pending | undefined> {
    const pending = await this.#pending()
    if (!pending.length) this.#served.clear()
    const turn = ({ user, id }: Pending) => this.#served.get(user || id) ?? 0
    const job = pending.toSorted((a, b) => turn(a) - turn(b)).find((one) => !this.#isBusy(one))
    if (!job) return undefined
    this.#underWay.set(job.id, { job, stop: new AbortController() })
    this.#served.set(job.user || job.id, ++this.#serial)
    return job
  }

  /** @throws if it fails in a way that can't be written into it, such as without a database */
  async run(job: Pending, signal: AbortSignal): Promise<void> {
    const { stop } = this.#underWay.get(job.id)!
    try {
      await whileRenewing(
        () => renewClaim(this.#deps.database, job.id),
        claimLife / 4,
        () => this.#work(job, AbortSignal.any([signal, stop.signal])),
      )
    } finally {
      this.#underWay.delete(job.id)
    }
  }

  /** Stops those of the imports under way that were deleted or changed. */
  async check(): Promise<void> {
    if (!this.#underWay.size) return
    const ids = sql.join([...this.#underWay.keys()])
    const rows = await query(
      this.#deps.database,
      sql`SELECT id, state FROM imports WHERE id IN (${ids})`,
      { id: text, state: text },
    )
    const states = new Map(rows.map(({ id, state }) => [id, state]))
    for (const { job, stop } of this.#underWay.values())
      if (job.user && states.get(job.id) !== job.state) stop.abort()
  }

  #isBusy({ id, user }: Pending): boolean {
    const jobs = [...this.#underWay.values()].map(({ job }) => job)
    return jobs.some((job) => job.id === id || (user && job.user === user))
  }

  async #pending(): Promise<Pending[]> {
    const { database } = this.#deps
    // The oldest of each reader.
    const rows = await query(
      database,
      sql`SELECT id, "user", state FROM (
        SELECT id, "user", state, ROW_NUMBER() OVER (PARTITION BY "user" ORDER BY updated, id) AS place
        FROM imports WHERE ${isBusy}) AS busy WHERE place = 1
        UNION ALL SELECT import, '', '' FROM import_work WHERE deleted = 1`,
      { id: text, user: text, state: text },
    )
    return rows.filter(({ id }) => this.#only === undefined || id === this.#only)
  }

  async #work({ id, user, state }: Pending, signal: AbortSignal): Promise<void> {
    const { database, records } = this.#deps
    const deps = { ...this.#deps, signal }
    const tries = await claimImport(database, id)
    if (tries === null) return waitForOthers(signal)
    try {
      const found = await records.find('imports', id)
      if (!user) await deleteRows(deps, id)
      else if (found?.state === state) await this.#workOn(found, tries, deps)
      if (!user && !signal.aborted) await forgetDeleted(database, id)
    } finally {
      await releaseImport(database, id)
    }
  }

  async #workOn(found: Stored<'imports'>, tries: number, deps: ImportDeps): Promise<void> {
    const { records, log } = this.#deps
    if (!working.includes(found.state)) return giveBack(deps, found)
    try {
      if (tries > triesAtMost) throw new ImportError('givenUp')
      if (found.state === 'reading') await readImport(deps, found)
      else if (found.state === 'applying') await applyImport(deps, found, this.#deps.planDefault)
      else await undoImport(deps, found)
    } catch (error) {
      if (deps.signal.aborted) return
      if (!(error instanceof ImportError)) log.error({ err: error }, 'an import failed')
      const { message, reason } =
        error instanceof ImportError ? error : new ImportError('ourFault', undefined, error)
      await records.write(async (tx) => {
        const now = await tx.find('imports', found.id)
        if (now && now['state'] === found.state)
          await tx.update('imports', found.id, {
            state: afterFailure(found),
            error: message,
            message: reason,
          })
      })
    }
  }
}

const working: readonly string[] = ['reading', 'applying', 'undoing']

function afterFailure({ state }: Stored<'imports'>): Stored<'imports'>['state'] {
  if (state === 'applying') return 'waiting'
  return state === 'undoing' ? 'done' : 'failed'
}

/** Milliseconds before an import is looked at again that another process works on. */
const later = 1000

const waitForOthers = (signal: AbortSignal): Promise<void> =>
  setTimeout(later, undefined, { ref: false, signal }).catch(() => undefined)
