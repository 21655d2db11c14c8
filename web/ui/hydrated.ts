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

/**
 * For a control that only a script answers: it is disabled until the page is hydrated, so that no
 * press is lost. `data-waiting` keeps it from looking disabled for that moment.
 */
export function useScriptControl(disabled = false) {
  const isWaiting = !useHydrated()
  return { disabled: disabled || isWaiting, 'data-waiting': isWaiting || undefined }
}
