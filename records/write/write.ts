import type { RequestInfo } from '../filter/request.ts'
import type { Core } from './core.ts'
import { isStatementTimeout, setStatementTimeout } from '../database/statement-timeout.ts'
import { ApiError } from '../errors.ts'
import { requireWriteScope } from '../access/scope.ts'
import { parseFields } from '../read/pick.ts'
import { allows, presentRecord, type ExpandBudget } from '../read/read.ts'
import { timeoutError } from '../read/statements.ts'
import { safeJson } from '../read/wire.ts'
import type { Collection } from '../schema/collection.ts'
import type { Rule } from '../schema/field.ts'
import type { StoredRecord } from '../schema/values.ts'
import type { RecordWrite } from './change.ts'
import type { WriteStep, WriteContext } from './context.ts'
import { deleteRecord } from './delete.ts'
import { lockRow } from './rows.ts'
import { applyHooks, prepare, store, validate } from './save.ts'
import { transactWithFiles } from './transaction.ts'

/** The steps in which a client's create and update differ. */
export interface ClientWrite {
  collection: Collection
  request: RequestInfo
  /**
   * For accounts: hashes the password before the transaction, as that is slow. Checks the rule
   * first.
   */
  hashPassword(): Promise<void>
  /** @returns the record as it would be written now, if the rule allows it; reads without a lock */
  draft(): Promise<StoredRecord>
  /** @returns the stored record, locked until the transaction ends */
  lock(tx: WriteContext): Promise<StoredRecord | null>
  /** @throws ApiError if the rule refuses */
  authorize(tx: WriteContext, before: StoredRecord | null): Promise<RecordWrite>
}

/**
 * Every step of a client's create or update, in order. Hashing and files come first; the rest runs in
 * a transaction, and again if the database aborts it. `transact` then commits and sends the events.
 *
 * @param batch the budget of a batch, which ends several of its writes together
 * @returns the transaction's part, whose result is the record's JSON text
 * @throws ApiError, now or in the transaction: 400 for a body that the create rule or validation
 *   refuses, or a response that can't be given; 404 if the record is missing or the rule refuses
 */
export async function beginWrite(
  write: ClientWrite,
  batch?: ExpandBudget,
): Promise<WriteStep<string>> {
  if (write.collection.type === 'auth') await write.hashPassword()
  await receiveFiles(write)
  parseFields(write.request.query['fields'])
  return async (tx) => {
    const before = await write.lock(tx)
    const change = await write.authorize(tx, before)
    if (await prepare(tx, change)) {
      await validate(tx, change)
      await store(tx, change)
      await applyHooks(tx, change)
    }
    await endWrite(tx, write, batch)
    const json = await answer(tx, write, change.after.id, batch)
    return change.revealed ? withRevealed(json, change.revealed) : json
  }
}

/** Runs a client's create or update in its own transaction. @returns the record's JSON text */
export async function runWrite(core: Core, write: ClientWrite): Promise<string> {
  const step = await beginWrite(write)
  const { collection, request } = write
  const turn = core.hooks[collection.name]?.isExclusive ? 'exclusive' : 'shared'
  try {
    return await core.accountQueue[turn](request.viewer?.id, () =>
      transactWithFiles(core, request, step),
    )
  } catch (error) {
    throw isStatementTimeout(error) ? timeoutError(error) : error
  }
}

/**
 * A client's delete of a record and its dependants.
 *
 * @returns the transaction's part
 * @throws ApiError, now or in the transaction: 404 if the record is missing or the rule refuses; 403
 *   if nobody may delete; 400 for a view or a record that others require
 */
export function beginDelete(
  collection: Collection,
  id: string,
  request: RequestInfo,
): WriteStep<void> {
  const rule = requireRule(collection, 'delete', request)
  return async (tx) => {
    const before = await lockRow(tx, collection, id, 'delete')
    if (!before || !(await allows(tx, tx.core.schema, collection, rule, id, request)))
      throw new ApiError(404)
    await deleteRecord(tx, collection, before, request)
  }
}

/** Runs a client's delete in its own transaction. */
export async function runDelete(
  core: Core,
  collection: Collection,
  id: string,
  request: RequestInfo,
): Promise<void> {
  const step = beginDelete(collection, id, request)
  await core.accountQueue.exclusive(request.viewer?.id, () => transactWithFiles(core, [], step))
}

/**
 * @throws ApiError if the collection is a view, its rule locks out all clients, or the viewer's
 *   token lacks the scope
 */
export function requireRule(
  collection: Collection,
  action: 'create' | 'update' | 'delete',
  request: RequestInfo,
): Rule {
  if (collection.type === 'view') throw new ApiError(400, 'Unsupported collection type.')
  requireWriteScope(collection, action, request)
  const rule = collection.rules[action]
  if (rule === null) throw new ApiError(403, 'Only superusers can perform this action.')
  return rule
}

/** Checks and stores a request's files before the transaction, which shouldn't wait for them. */
async function receiveFiles(write: ClientWrite): Promise<void> {
  const { uploads, context } = write.request
  if (!uploads || uploads.isEmpty) return
  // In a batch, rules can depend on what earlier requests write; see its trial run.
  if (context !== 'batch') await uploads.prepare(write.collection, await write.draft())
}

/** Milliseconds for each statement that reads expanded relations, as for any other read. */
const readWithin = 5000

/**
 * Runs end-of-write work before the response is read; a batch does so after its last similar write.
 */
async function endWrite(
  tx: WriteContext,
  { request }: ClientWrite,
  batch: ExpandBudget | undefined,
): Promise<void> {
  const { expand } = request.query
  if (expand && !batch) await setStatementTimeout(tx, readWithin)
  if (expand || !batch) await tx.finish()
}

function withRevealed(json: string, revealed: Readonly<Record<string, string>>): string {
  return safeJson(JSON.stringify({ ...(JSON.parse(json) as object), ...revealed }))
}

/**
 * Reads the response in the transaction, so that nothing is written if it fails, such as for its
 * size.
 */
function answer(
  tx: WriteContext,
  { collection, request }: ClientWrite,
  id: string,
  budget: ExpandBudget | undefined,
): Promise<string> {
  const { expand, fields } = request.query
  const stored = tx.written.find(collection, id)
  const shape = { expand, fields, stored, budget }
  return presentRecord(tx, tx.core.schema, collection, id, request, shape)
}
