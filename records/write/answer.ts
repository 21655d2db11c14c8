import type { RequestInfo } from '../access/request.ts'
import type { Core } from '../core.ts'
import { isCancelled, limitStatements } from '../database/late.ts'
import { writeWithFiles } from '../files/commit.ts'
import { parseFields } from '../read/pick.ts'
import { presentRecord, type ExpandBudget } from '../read/read.ts'
import type { Collection } from '../schema/collection.ts'
import { tooSlow } from '../read/statements.ts'
import type { Step } from './context.ts'

/** Milliseconds of a statement that reads what an answer includes, as for any other read. */
const readWithin = 5000

/** Runs a write with its answer in a transaction of its own. */
export async function writeAndAnswer(
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
    const written = withAnswer(core, collection, limited, request)
    return await core.accountQueue.shared(request.viewer?.id, () =>
      writeWithFiles(core, request, written),
    )
  } catch (error) {
    throw isCancelled(error) ? tooSlow(error) : error
  }
}

/**
 * A write with its answer, which is read in the same transaction: nothing is written whose answer
 * cannot be given, such as for the size of what it is to include.
 *
 * @param budget shared by several records that are answered together
 */
export function withAnswer(
  core: Core,
  collection: Collection,
  step: Step<string>,
  request: RequestInfo,
  budget?: ExpandBudget,
): Step<string> {
  const { expand, fields } = request.query
  // Not only when the record is there: this is known before.
  parseFields(fields)
  const shape = { expand, fields, ...(budget ? { budget } : {}) }
  return async (tx) => {
    const id = await step(tx)
    // What is included may be what the write has yet to bring up to date.
    if (expand || !budget) await tx.finish()
    const stored = tx.written.find(collection, id)
    return presentRecord(tx, core.schema, collection, id, request, { ...shape, stored })
  }
}
