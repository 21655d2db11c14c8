import { useEffect, useSyncExternalStore } from 'react'

let open = 0
const listeners = new Set<() => void>()

function change(by: 1 | -1): void {
  open += by
  for (const tell of listeners) tell()
}

/** Counts a dialog among those that are open. */
export function useCountedDialog(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    change(1)
    return () => change(-1)
  }, [isOpen])
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Whether a dialog with buttons at its foot is open. */
export function useIsDialogOpen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => open > 0,
    () => false,
  )
}
