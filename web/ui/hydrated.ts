import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * Whether the page answers already. Until then a form must not be sent: the browser would do it by
 * itself, with the password in the address.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
