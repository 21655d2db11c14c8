import type { RequestInfo } from '../access/request.ts'
import type { Core } from '../core.ts'
import { write } from '../write/transaction.ts'
import type { WriteContext } from '../write/context.ts'

/**
 * Runs the work in one transaction, and takes back the files of the request, or of several, if
 * nothing was written.
 *
 * @throws what the work throws
 */
export async function writeWithFiles<T>(
  core: Core,
  requests: RequestInfo | readonly RequestInfo[],
  work: (tx: WriteContext) => Promise<T>,
): Promise<T> {
  let committing = false
  try {
    return await write(core, async (tx) => {
      committing = false
      const result = await work(tx)
      committing = true
      return result
    })
  } catch (error) {
    // Whether a commit that broke off took place nobody knows: sweeping finds it out.
    if (!committing)
      for (const { uploads } of [requests].flat()) await uploads?.discard().catch(core.report)
    throw error
  }
}
