import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'

/**
 * Calls a function once no call was asked for during the delay. A pending call is dropped when the
 * screen unmounts or navigation starts.
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
