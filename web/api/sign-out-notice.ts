import type { QueryClient } from '@tanstack/react-query'

/** Joins the tabs of one browser. A message is not heard by the tab that sent it. */
const tabs = new BroadcastChannel('octavo:sign-out')

/** Tells the other tabs that their session has ended. */
export function announceSignOut(): void {
  // A channel, unlike a window, reaches its own origin only.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('signed out')
}

/**
 * Follows a sign-out in another tab: what this one shows is asked for again, as a visitor.
 *
 * @param onEnd told when what was the reader's own is gone from the cache
 * @returns ends it
 */
export function watchSignOut(queries: QueryClient, onEnd: () => void): () => void {
  async function follow(): Promise<void> {
    queries.setQueryData(['session'], null)
    queries.removeQueries({ type: 'inactive' })
    await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' })
    onEnd()
  }
  const hear = () => void follow()
  tabs.addEventListener('message', hear)
  return () => tabs.removeEventListener('message', hear)
}
