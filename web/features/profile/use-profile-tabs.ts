import { useSyncExternalStore } from 'react'

const key = 'profile-menu'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function isShown(): boolean {
  try {
    return localStorage.getItem(key) !== 'hidden'
  } catch {
    // A browser that keeps nothing shows everything.
    return true
  }
}

function keep(shown: boolean): void {
  try {
    if (shown) localStorage.removeItem(key)
    else localStorage.setItem(key, 'hidden')
  } catch {
    return
  }
  for (const listener of listeners) listener()
}

/** Whether a profile's tabs are shown: the reader's choice, kept in this browser. */
export function useProfileTabs(): { shown: boolean; onToggle: () => void } {
  const shown = useSyncExternalStore(subscribe, isShown, () => true)
  return { shown, onToggle: () => keep(!shown) }
}
