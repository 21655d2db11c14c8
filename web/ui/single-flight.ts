import { useRef } from 'react'

/**
 * The second half of a double click comes before the button knows that it is pending.
 *
 * @returns the work, which does nothing when it is called while it is under way
 */
export function useSingleFlight<Input extends unknown[]>(
  work: (...input: Input) => Promise<void>,
): (...input: Input) => Promise<void> {
  const isUnderWay = useRef(false)
  return async (...input) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      await work(...input)
    } finally {
      isUnderWay.current = false
    }
  }
}
