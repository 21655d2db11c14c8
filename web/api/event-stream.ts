import type { UnsubscribeFunc } from 'pocketbase'
import { getBrowserClient } from './client.ts'

/** Milliseconds without a word after which the stream counts as dead; the server sends one every 25 s. */
const silence = 60_000
/** Milliseconds after which a page that is seen again asks at once. */
const recently = 5000
/** Milliseconds between two looks at the silence. */
const lookAgain = 10_000

/** A part of the page that hears events. */
interface Listener {
  subscribe: () => Promise<UnsubscribeFunc>[]
  ends: Promise<UnsubscribeFunc | undefined>[]
  onSilence: () => void
}

const listeners = new Set<Listener>()
let lastWord = 0
let endWatch: (() => void) | undefined

const nothing = () => undefined

/**
 * Subscribes to events of the stream until it is ended, and again when the stream begins anew. A page
 * that cannot be kept live is still a page, so failures are ignored.
 *
 * @param subscribe makes the subscriptions
 * @param onConnect called at each connection: since the page was made, or since the last connection,
 *   something may have happened
 * @param onSilence called when nothing was heard for too long, or lately when the page is seen again;
 *   the stream is begun anew then, which may not succeed
 * @returns ends them
 */
export function listen(
  subscribe: Listener['subscribe'],
  onConnect: () => void = nothing,
  onSilence: () => void = nothing,
): () => void {
  const { realtime } = getBrowserClient()
  const connected = () => {
    heard()
    onConnect()
  }
  const subscribeAll = () => [
    ...subscribe(),
    realtime.subscribe('PB_CONNECT', connected),
    realtime.subscribe('@heartbeat', heard),
  ]
  const listener = { subscribe: subscribeAll, ends: begin(subscribeAll), onSilence }
  listeners.add(listener)
  endWatch ??= watchSilence()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      endWatch?.()
      endWatch = undefined
    }
    for (const end of listener.ends) void end.then((unsubscribe) => unsubscribe?.()).catch(nothing)
  }
}

const begin = (subscribe: Listener['subscribe']) => subscribe().map((end) => end.catch(nothing))

const heard = () => void (lastWord = Date.now())

/**
 * Begins the stream anew when it is silent: after a sleep, or behind a network that drops what is
 * idle, it is dead and no error says so.
 *
 * @returns ends the watch
 */
function watchSilence(): () => void {
  heard()
  const askAfter = (most: number) => {
    // A clock that was set back tells nothing.
    if (Math.abs(Date.now() - lastWord) < most) return
    heard()
    for (const { onSilence } of listeners) onSilence()
    void reopen()
  }
  const back = () => {
    if (document.visibilityState === 'visible') askAfter(recently)
  }
  const timer = setInterval(() => askAfter(silence), lookAgain)
  const listening = new AbortController()
  // Events of the document pass through the window.
  for (const name of ['visibilitychange', 'resume', 'pageshow', 'online'])
    window.addEventListener(name, back, { signal: listening.signal, capture: true })
  return () => {
    clearInterval(timer)
    listening.abort()
  }
}

async function reopen(): Promise<void> {
  // The client closes a stream that nobody listens to, and opens one for the next who does.
  await getBrowserClient().realtime.unsubscribe().catch(nothing)
  for (const listener of listeners) listener.ends = begin(listener.subscribe)
}
