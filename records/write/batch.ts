import { sql } from 'kysely'
import type { RequestInfo } from '../filter/request.ts'
import { StaleError } from './conflict.ts'
import type { Core } from './core.ts'
import { UniqueError } from '../database/database.ts'
import { isStatementTimeout, setStatementTimeout } from '../database/statement-timeout.ts'
import { query } from '../database/query.ts'
import { ApiError } from '../errors.ts'
import type { Uploads } from '../files/uploads.ts'
import { findRecord, newExpandBudget, type ExpandBudget } from '../read/read.ts'
import type { Collection } from '../schema/collection.ts'
import { namedId } from './body.ts'
import { createWrite } from './create.ts'
import { transactWithFiles } from './transaction.ts'
import { updateWrite } from './update.ts'
import { beginDelete, beginWrite, type ClientWrite } from './write.ts'
import type { WriteStep, WriteContext } from './context.ts'

/** One request of a batch. `PUT` updates the record its body names, or creates it. */
export interface BatchRequest {
  action: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Id or name. */
  collection: string
  /** Empty for POST and PUT. */
  id: string
  /** Its own body and query; the viewer is the batch's. */
  request: RequestInfo
}

/** One request's result: its record's JSON text, or null for a delete. */
type BatchResult = string | null

/** Milliseconds from the first rule to the commit, including waiting for other writes. */
const timeLimit = 3000

/** A step of the transaction, ready or already known to fail. */
type Prepared = WriteStep<BatchResult> | { failure: unknown }

/**
 * Runs requests in order in one transaction: each sees what earlier ones wrote, and all are written
 * or none. Rules and validation are those of the same requests made one by one. Rules for accounts
 * are also checked before the batch, as their passwords take long to hash.
 *
 * @param requests an error in place of a request fails the batch at its turn
 * @param signal aborted when the client has gone
 * @throws ApiError 400 with the index and the error of the first request that failed; without an
 *   index if the time is up (3 s, twice that with files) or the client has gone
 */
export async function runBatch(
  core: Core,
  requests: readonly (BatchRequest | ApiError)[],
  signal: AbortSignal,
): Promise<BatchResult[]> {
  const budget = newExpandBudget()
  const clock = clockFor(signal)
  const steps: Prepared[] = []
  for (const request of requests) {
    refuseLate(clock)
    steps.push(await prepared(core, request, budget))
  }
  const run: Run = { core, requests, steps, budget }
  const uploads = uploadsOf(requests)
  if (!uploads.length) return runSteps(run, clock)
  await tryRules(run, clock, uploads)
  return runSteps(run, clockFor(signal))
}

interface Run {
  core: Core
  requests: readonly (BatchRequest | ApiError)[]
  steps: readonly Prepared[]
  budget: ExpandBudget
}

/** Thrown to roll a trial back. */
const trialEnd = new Error('the trial of a batch is over')

/**
 * Finds out which files may be read. A request's rule can depend on what earlier requests write, so
 * all of them are run without their files and rolled back. Pictures are then decoded outside of any
 * transaction, so that other writes don't wait.
 *
 * @throws the batch's error, if it fails before any request with files
 */
async function tryRules(run: Run, clock: AbortSignal, uploads: readonly Uploads[]): Promise<void> {
  for (const one of uploads) one.beginTrial()
  const end = await runSteps(run, clock, true).catch((error: unknown) => error)
  if (end !== trialEnd && !uploads.some((one) => one.isAuthorized)) throw end
  for (const one of uploads) await one.endTrial()
}

/** @param isTrial throws {@link trialEnd} in place of the commit */
async function runSteps(
  { core, requests, steps, budget }: Run,
  clock: AbortSignal,
  isTrial = false,
): Promise<BatchResult[]> {
  const work = async (tx: WriteContext) => {
    Object.assign(budget, newExpandBudget())
    await serializeAccount(tx, requests)
    const results: BatchResult[] = []
    for (const [index, step] of steps.entries()) {
      refuseLate(clock)
      if (!isSameKind(requests[index], requests[index - 1])) await tx.finish()
      results.push(await runStep(tx, step, index))
    }
    refuseLate(clock)
    if (isTrial) throw trialEnd
    return results
  }
  try {
    const written = requests.flatMap((one) => (one instanceof ApiError ? [] : one.request))
    const write = () => transactWithFiles(core, written, work)
    return await core.accountQueue.exclusive(viewerOf(requests), write, clock)
  } catch (error) {
    if (isStatementTimeout(error) || error === clock.reason) throw failed({}, error)
    throw error
  }
}

/** @returns a signal for when the batch's time is up or its client has gone */
function clockFor(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeLimit)])
}

function uploadsOf(requests: readonly (BatchRequest | ApiError)[]): Uploads[] {
  return requests.flatMap((one) => {
    const uploads = one instanceof ApiError ? undefined : one.request.uploads
    return uploads && !uploads.isEmpty ? uploads : []
  })
}

/** Whether two consecutive requests do the same to the same collection. */
function isSameKind(request?: BatchRequest | ApiError, before?: BatchRequest | ApiError): boolean {
  if (!request || !before || request instanceof ApiError || before instanceof ApiError) return false
  return request.collection === before.collection && request.action === before.action
}

async function prepared(
  core: Core,
  request: BatchRequest | ApiError,
  budget: ExpandBudget,
): Promise<Prepared> {
  if (request instanceof ApiError) return { failure: request }
  try {
    return await prepare(core, request, budget)
  } catch (failure) {
    return { failure }
  }
}

async function prepare(
  core: Core,
  { action, collection: key, id, request }: BatchRequest,
  budget: ExpandBudget,
): Promise<WriteStep<BatchResult>> {
  const collection = core.schema.find(key)
  if (!collection) throw new ApiError(404, 'Missing collection context.')
  if (action === 'DELETE') {
    const step = beginDelete(collection, id, request)
    return async (tx) => step(tx).then(() => null)
  }
  if (action === 'POST') return beginWrite(createWrite(core, collection, request), budget)
  if (action === 'PATCH') return beginWrite(updateWrite(core, collection, id, request), budget)
  // An account's password is hashed before the transaction, so whether to create or update is
  // decided before it.
  if (collection.type === 'auth') {
    const isThere = await isStored(core.database, collection, request)
    return beginWrite(createOrUpdate(core, collection, request, isThere), budget)
  }
  return async (tx) => {
    const isThere = await isStored(tx, collection, request)
    const step = await beginWrite(createOrUpdate(core, collection, request, isThere), budget)
    return step(tx).catch(async (error: unknown) => {
      const isStale = isThere
        ? isMissing(error) && !(await isStored(tx, collection, request))
        : isTakenId(error)
      throw isStale ? new StaleError(error) : error
    })
  }
}

async function isStored(
  db: Parameters<typeof findRecord>[0],
  collection: Collection,
  request: RequestInfo,
): Promise<boolean> {
  const id = namedId(collection, request.body)
  return id !== '' && (await findRecord(db, collection, id)) !== null
}

function createOrUpdate(
  core: Core,
  collection: Collection,
  request: RequestInfo,
  isThere: boolean,
): ClientWrite {
  return isThere
    ? updateWrite(core, collection, namedId(collection, request.body), request)
    : createWrite(core, collection, request)
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether another request has created the record in the meantime. */
function isTakenId(error: unknown): boolean {
  return error instanceof ApiError && error.cause instanceof UniqueError && 'id' in error.data
}

async function runStep(tx: WriteContext, step: Prepared, index: number): Promise<BatchResult> {
  try {
    if (typeof step !== 'function') throw step.failure
    return await step(tx)
  } catch (error) {
    // Errors that aren't the client's are for the log, or lead to a retry.
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const response = error.toJSON()
    throw failed(
      {
        requests: {
          [index]: { code: 'batch_request_failed', message: 'Batch request failed.', response },
        },
      },
      error,
    )
  }
}

function failed(data: ApiError['data'], cause: unknown): ApiError {
  return new ApiError(400, 'Batch transaction failed.', data, cause)
}

function refuseLate(clock: AbortSignal): void {
  if (clock.aborted) throw failed({}, clock.reason)
}

/** @returns the viewer's id, which is the same for the whole batch */
function viewerOf(requests: readonly (BatchRequest | ApiError)[]): string | undefined {
  const first = requests.find((request): request is BatchRequest => !(request instanceof ApiError))
  return first?.request.viewer?.id
}

/**
 * On PostgreSQL, limits how long a statement may wait for a lock, and runs an account's batches one
 * after another across all processes, as they could otherwise deadlock.
 */
async function serializeAccount(
  tx: WriteContext,
  requests: readonly (BatchRequest | ApiError)[],
): Promise<void> {
  if (tx.dialect.name !== 'postgres') return
  await setStatementTimeout(tx, timeLimit)
  const account = viewerOf(requests)
  if (account)
    await query(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended(${`batch ${account}`}, 0))`)
}
