import { setTimeout } from 'node:timers/promises'
import { Hono } from 'hono'
import { ApiError, type Database } from '#records/index.ts'
import { dataHeaderValues } from './headers.ts'

/** Milliseconds for which the result of a check is reused. */
const looksAgain = 1000
/** Milliseconds after which a database that doesn't answer counts as down. */
const answersWithin = 2000

/** Whether this process can serve requests, unlike `/api/health`, which says that it runs. */
interface Readiness {
  /** Answers at `/api/ready`: 200, or 503 with `Retry-After` and the reason. */
  readonly routes: Hono
  /** Makes it not ready from now on. */
  stop(): void
}

/**
 * A process listens only after its migrations, so what can be missing later is the database or disk
 * space, or the server is stopping. Any number of requests costs one check a second.
 *
 * @param isFull whether the disk has no space for readers' data
 */
export function openReadiness(
  database: Database,
  isFull: () => Promise<boolean> = () => Promise.resolve(false),
): Readiness {
  let isStopping = false
  let looking: Promise<string | undefined> | undefined

  /** Resolves with what is missing, if anything. */
  function look(): Promise<string | undefined> {
    looking ??= Promise.race([
      missing(database, isFull),
      setTimeout(answersWithin, noAnswer, { ref: false }),
    ]).finally(() => {
      globalThis.setTimeout(() => (looking = undefined), looksAgain).unref()
    })
    return looking
  }

  const routes = new Hono()
  routes.get('/', async (c) => {
    const reason = isStopping ? 'Octavo is stopping.' : await look()
    c.header('Cache-Control', 'no-store')
    if (!reason) {
      const ready = { message: 'Octavo is ready.', code: 200, data: {} }
      return c.json(ready, 200, dataHeaderValues)
    }
    c.header('Retry-After', '2')
    return c.json(new ApiError(503, reason), 503, dataHeaderValues)
  })
  return { routes, stop: () => void (isStopping = true) }
}

const noAnswer = 'The database does not answer.'

async function missing(database: Database, isFull: () => Promise<boolean>) {
  try {
    await database.query('SELECT 1')
    return (await isFull()) ? 'The disk is full.' : undefined
  } catch {
    return noAnswer
  }
}
