/**
 * Gathers calls: the first runs at once, and all that come within the pause after it run as one at
 * its end, so that fifty events of one change cause two fetches.
 *
 * @param pause milliseconds
 * @returns `finish` runs at once what still waits
 */
export function throttle(work: () => void, pause: number): { run: () => void; finish: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const start = () => {
    isDue = false
    timer = setTimeout(() => {
      timer = undefined
      if (!isDue) return
      start()
      work()
    }, pause)
  }
  return {
    run: () => {
      if (timer !== undefined) isDue = true
      else {
        start()
        work()
      }
    },
    finish: () => {
      clearTimeout(timer)
      timer = undefined
      if (isDue) work()
      isDue = false
    },
  }
}
