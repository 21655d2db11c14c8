import { useEffect, useRef } from 'react'

/**
 * Does something once the hand has rested; what waits when the screen goes is not done.
 *
 * @param pause milliseconds
 */
export function useLater(pause: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    /** In place of what waits. */
    later: (work: () => void) => {
      cancel()
      timer.current = setTimeout(work, pause)
    },
    cancel,
  }
}
