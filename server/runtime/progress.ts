import { SingleBar } from 'cli-progress'

/** Milliseconds between two lines where there is no terminal; shorter work prints nothing. */
const lineEvery = 5000

/** Progress that is shown until the end of its scope. */
interface Progress extends Disposable {
  /** @param done of the step's total, in any unit */
  update: (step: string, done: number, total: number) => void
}

/** Where lines of progress go. */
interface ProgressLog {
  info(details: { step: string; percent: number }, what: string): void
}

/** Shows progress: a bar on a terminal, elsewhere a line in the log every few seconds. */
export function showProgress(what: string, log: ProgressLog): Progress {
  let bar: SingleBar | undefined
  let running = ''
  let printedAt = performance.now()

  function draw(step: string, done: number, total: number): void {
    if (step !== running) {
      bar?.stop()
      // Leave line wrapping on: a signal would leave it off.
      bar = new SingleBar({
        format: `${what} ({step}) {bar} {percentage} %`,
        barsize: 20,
        linewrap: true,
        fps: 5,
      })
      bar.start(Math.max(total, 1), done, { step })
      running = step
    }
    bar?.update(done)
  }

  return {
    update(step, done, total) {
      if (process.stdout.isTTY) return draw(step, done, total)
      const now = performance.now()
      if (now - printedAt < lineEvery) return
      printedAt = now
      log.info({ step, percent: Math.floor((100 * done) / Math.max(total, 1)) }, what)
    },
    [Symbol.dispose]: () => bar?.stop(),
  }
}
