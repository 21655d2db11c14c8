import type { RequestInfo } from '../access/request.ts'
import type { Core } from '../core.ts'
import { isCancelled, limitStatements } from '../database/late.ts'
import { writeWithFiles } from '../files/commit.ts'
import { parseFields } from '../read/pick.ts'
import { presentRecord, type Room } from '../read/read.ts'
import type { Collection } from '../schema/collection.ts'
import { tooSlow } from '../read/statements.ts'
import type { Step } from './context.ts'

/** Milliseconds of a statement that reads what an answer includes, as for any other read. */
const readWithin = 5000

/** Runs a write with its answer in a transaction of its own. */
export async function writeAnswering(
  core: Core,
  collection: Collection,
  step: Step<string>,
  request: RequestInfo,
): Promise<string> {
  const limited: Step<string> = async (tx) => {
    const id = await step(tx)
    if (request.query['expand']) await limitStatements(tx, readWithin)
    return id
  }
  try {
    const written = answering(core, collection, limited, request)
    return await core.turns.beside(request.viewer?.id, () => writeWithFiles(core, request, written))
  } catch (error) {
    throw isCancelled(error) ? tooSlow(error) : error
  }
}

/**
 * A write with its answer, which is read in the same transaction: nothing is written whose answer
 * cannot be given, such as for the size of what it is to include.
 *
 * @param room what is left of that of several records that are answered together
 */
export function answering(
  core: Core,
  collection: Collection,
  step: Step<string>,
  request: RequestInfo,
  room?: Room,
): Step<string> {
  const { expand, fields } = request.query
  // Not only when the record is there: this is known before.
  parseFields(fields)
  const shape = { expand, fields, ...(room ? { room } : {}) }
  return async (tx) => {
    const id = await step(tx)
    // What is included may be what the write has yet to bring up to date.
    if (expand || !room) await tx.finish()
    const stored = tx.written.find(collection, id)
    return presentRecord(tx, core.schema, collection, id, request, { ...shape, stored })
  }
}
