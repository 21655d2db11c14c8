import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'

/**
 * Does something once the hand has rested; what waits when the screen goes, or is being left for
 * another, is not done: who follows a link is not called back by the letters typed before.
 *
 * @param delay milliseconds
 */
export function useDebouncedCall(delay: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancel = () => clearTimeout(timer.current)
  const { pathname } = useLocation()
  const isLeaving = (useNavigation().location?.pathname ?? pathname) !== pathname
  useEffect(() => {
    if (isLeaving) clearTimeout(timer.current)
    return () => clearTimeout(timer.current)
  }, [isLeaving])
  return {
    /** In place of what waits. */
    schedule: (work: () => void) => {
      cancel()
      timer.current = setTimeout(work, delay)
    },
    cancel,
  }
}
