import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** @returns whether React has hydrated the page; until then the browser would submit a form by itself */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
