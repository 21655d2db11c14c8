/** Milliseconds between looks for what another process has left, or a stop has cut short. */
const usualInterval = 2000
/** Milliseconds to wait for a transaction to be committed. */
const soon = 20

/** Work that is found in the database, so that it survives the process. */
export interface Jobs<Job> {
  /**
   * Finds the next job that is due, and claims it where several processes do such jobs. One that
   * fails should be due again only later, or it is done at each look.
   */
  next: () => Promise<Job | undefined>
  /** Does a job. Aborted when the runner is closed. */
  run: (job: Job, signal: AbortSignal) => Promise<unknown>
  /** Jobs at a time; one unless said. */
  concurrency?: number
}

/** Jobs that are done in the background until it is closed. */
export interface JobRunner {
  /** Call when there may be something to do. */
  wake(): void
  /** Begins no more jobs, and waits for those under way. */
  close(): Promise<void>
}

/**
 * Does jobs whenever it is woken, and looks for some at regular times.
 *
 * @param options.every milliseconds between two looks
 * @param options.onLook called at each look, even while all are busy
 * @param options.onError called with what went wrong before it was closed; once for what all fail
 *   of together, such as a database that is away, until jobs and looks go well again
 */
export function runJobs<Job>(
  jobs: Jobs<Job>,
  options: {
    every?: number
    onLook?: () => Promise<void>
    onError: (error: unknown) => void
  },
): JobRunner {
  const { concurrency = 1 } = jobs
  const closing = new AbortController()
  const { signal } = closing
  const workers = new Set<Promise<void>>()
  /** Whether there may be more to do than the workers know of. */
  let isWoken = false
  const condition = newCondition()
  const report = (error: unknown) => {
    if (!signal.aborted && condition.fails(kindOf(error))) options.onError(error)
  }

  /** Does one job after the other. While it does one, another worker looks for more. */
  async function work(): Promise<void> {
    while (!signal.aborted) {
      const job = await jobs.next()
      if (job !== undefined) {
        begin()
        await jobs.run(job, signal)
      }
      condition.isWell()
      if (job === undefined) return
    }
  }

  function begin(): void {
    if (signal.aborted || workers.size >= concurrency) return
    const worker: Promise<void> = work()
      .catch(report)
      .finally(() => {
        workers.delete(worker)
        if (isWoken) look()
      })
    workers.add(worker)
  }

  function look(): void {
    if (signal.aborted) return
    isWoken = workers.size >= concurrency
    begin()
  }

  const timer = setInterval(() => {
    options.onLook?.().catch(report)
    look()
  }, options.every ?? usualInterval).unref()
  const wake = () => void setTimeout(look, soon).unref()
  wake()
  return {
    wake,
    async close() {
      clearInterval(timer)
      closing.abort()
      await Promise.all(workers)
      condition.isWell()
    },
  }
}

/**
 * Does work in this process at the start and then at regular times. Work that fails is done again
 * the next time.
 *
 * @param every milliseconds
 * @param onError called with what went wrong before it was closed
 */
export function runEvery(
  every: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): JobRunner {
  let isDue = true
  const jobs: Jobs<true> = {
    next: async () => (isDue ? true : undefined),
    run(_, signal) {
      isDue = false
      return work(signal)
    },
  }
  const onLook = async () => {
    isDue = true
  }
  return runJobs(jobs, { every, onLook, onError })
}

/** Several runners as one. */
export function joinRunners(runners: readonly JobRunner[]): JobRunner {
  return {
    wake: () => runners.forEach((runner) => runner.wake()),
    close: async () => void (await Promise.all(runners.map((runner) => runner.close()))),
  }
}

/** What a runner fails of: a lost database is one thing, however it is noticed. */
function kindOf(error: unknown): string {
  return (error as { code?: unknown } | undefined)?.code === '08006' ? '08006' : String(error)
}

/** How many runners of this process fail at present, by what they fail of. */
const failing = new Map<string, number>()

/** The condition of one runner. */
function newCondition() {
  let failure: string | undefined
  function isWell(): void {
    if (failure === undefined) return
    const others = (failing.get(failure) ?? 1) - 1
    if (others > 0) failing.set(failure, others)
    else failing.delete(failure)
    failure = undefined
  }
  return {
    isWell,
    /** @returns whether neither it nor another runner has failed of this already */
    fails(now: string): boolean {
      if (failure === now) return false
      isWell()
      failure = now
      const others = failing.get(now) ?? 0
      failing.set(now, others + 1)
      return others === 0
    },
  }
}

/**
 * Does all jobs that are due, and waits for them.
 *
 * @throws what the first failure was, once the jobs under way have ended
 */
export async function runAllJobs<Job>(jobs: Jobs<Job>): Promise<void> {
  const { signal } = new AbortController()
  const work = async () => {
    for (let job = await jobs.next(); job !== undefined; job = await jobs.next())
      await jobs.run(job, signal)
  }
  const ends = await Promise.allSettled(Array.from({ length: jobs.concurrency ?? 1 }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/**
 * Does work that takes longer than its claim holds.
 *
 * @param renew renews the claim; if it fails, the worst is that another process does the work, too
 * @param every milliseconds between two renewals
 */
export async function whileRenewing<Result>(
  renew: () => Promise<unknown>,
  every: number,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewal: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    renewal = renewal.then(renew).catch(() => undefined)
  }, every).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewal
  }
}
