import { createContext, use, useState } from 'react'

/** Whether a dialog lies over what is below, which keeps its place. */
export const HeldContext = createContext(false)

/**
 * Keeps what a list shows while a dialog lies over it: else rows leave and sections appear as answers
 * come in, which nobody expects. What is new shows when the dialog is left.
 *
 * @returns the value, or that of the moment in which the dialog opened
 */
export function useHeld<T>(value: T): T {
  const isHeld = use(HeldContext)
  const [held, setHeld] = useState<{ value: T } | null>(null)
  if (isHeld && !held) setHeld({ value })
  if (!isHeld && held) setHeld(null)
  return isHeld && held ? held.value : value
}
