/** Milliseconds between looks for what another process has left, or a stop has cut short. */
const lookEvery = 2000
/** Milliseconds to wait for a transaction to be committed. */
const soon = 20

/** Work that goes on in the background until it is closed. */
export interface BackgroundWork {
  /** Call when there may be something to do. */
  wake(): void
  /** Begins no more work, and waits for what is under way. */
  close(): Promise<void>
}

/**
 * Does work when it is woken, and every two seconds, never twice at once. Work that begins while
 * other work is under way follows it.
 *
 * @param work does all there is to do
 * @param options.onLook called at each look, even while work is under way
 * @param options.onError called with what went wrong before it was closed; once for failures of one
 *   kind, such as those of a database that is away, until the work goes well again
 */
export function runInBackground(
  work: (isOver: () => boolean) => Promise<void>,
  options: { onLook?: () => Promise<void>; onError: (error: unknown) => void },
): BackgroundWork {
  let isOver = false
  let underWay: Promise<void> | undefined
  /** Whether there may be more to do than what is under way knows of. */
  let isWoken = false
  /** The failure that was reported last, if nothing has gone well since. */
  let reported: string | undefined
  const report = (error: unknown) => {
    if (isOver || String(error) === reported) return
    reported = String(error)
    options.onError(error)
  }
  const look = () => {
    if (isOver) return
    options.onLook?.().catch(report)
    isWoken = true
    if (underWay) return
    isWoken = false
    underWay = work(() => isOver)
      .then(() => void (reported = undefined), report)
      .finally(() => {
        underWay = undefined
        if (isWoken) look()
      })
  }
  const timer = setInterval(look, lookEvery).unref()
  const wake = () => void setTimeout(look, soon).unref()
  wake()
  return {
    wake,
    async close() {
      isOver = true
      clearInterval(timer)
      await underWay
    },
  }
}
