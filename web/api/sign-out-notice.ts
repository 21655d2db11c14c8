import type PocketBase from 'pocketbase'
import { openTabChannel } from './tab-channel.ts'

const tabs = openTabChannel('octavo:sign-out')

let leaving = 0

/** Tells the other tabs that their session has ended. */
export function broadcastSignOut(): void {
  // A channel, unlike a window, reaches its own origin only.
  tabs?.postMessage('signed out')
}

/** @returns ends it */
export function onSignOut(hear: () => void): () => void {
  tabs?.addEventListener('message', hear)
  return () => tabs?.removeEventListener('message', hear)
}

/** Ignore sessions that this tab ends itself. */
export async function whileSigningOut(work: () => Promise<void>): Promise<void> {
  leaving++
  try {
    await work()
  } finally {
    leaving--
  }
}

/** @returns whether this tab is just ending its own session */
export function isSigningOut(): boolean {
  return leaving > 0
}

/** Ends the session on the server and forgets it here. */
export async function signOut(api: PocketBase): Promise<void> {
  await api.send('/api/v1/auth/logout', { method: 'POST' })
  api.authStore.clear()
}
