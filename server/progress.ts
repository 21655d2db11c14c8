import { SingleBar } from 'cli-progress'
import type { Logger } from 'pino'

/** Milliseconds between two lines where there is no terminal; what is done before says nothing. */
const lineEvery = 5000

/** Work whose progress is shown until the end of its scope. */
interface Progress extends Disposable {
  /** @param done of the step's total, in any unit */
  update: (step: string, done: number, total: number) => void
}

/** Shows how far work is: a bar on a terminal, a line of the log every few seconds elsewhere. */
export function showProgress(what: string, log: Logger): Progress {
  let bar: SingleBar | undefined
  let running = ''
  let said = performance.now()

  function draw(step: string, done: number, total: number): void {
    if (step !== running) {
      bar?.stop()
      // Nothing of the terminal is changed that a signal would leave behind.
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
      if (now - said < lineEvery) return
      said = now
      log.info({ step, percent: Math.floor((100 * done) / Math.max(total, 1)) }, what)
    },
    [Symbol.dispose]: () => bar?.stop(),
  }
}
