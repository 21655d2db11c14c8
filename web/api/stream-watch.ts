/** Milliseconds without a word after which a stream counts as dead; the server sends one every 25 s. */
const silence = 60_000
/** Milliseconds after which a page that is seen again asks at once. */
const recently = 5000
/** Milliseconds between two looks at the silence. */
const lookAgain = 10_000

/**
 * Watches over the stream of events: after a sleep, or behind a network that drops what is idle, it is
 * dead and no error says so.
 *
 * @param onSilence called when nothing was heard for too long, or lately when the page is seen again
 * @returns `heard` to be called at each event; `end` ends it
 */
export function watchStream(onSilence: () => void): { heard: () => void; end: () => void } {
  let last = Date.now()
  const heard = () => void (last = Date.now())
  const askAfter = (most: number) => {
    // A clock that was set back tells nothing.
    const passed = Math.abs(Date.now() - last)
    if (passed < most) return
    heard()
    onSilence()
  }
  const back = () => {
    if (document.visibilityState === 'visible') askAfter(recently)
  }
  const timer = setInterval(() => askAfter(silence), lookAgain)
  const listening = new AbortController()
  // Events of the document pass through the window.
  for (const name of ['visibilitychange', 'resume', 'pageshow', 'online'])
    window.addEventListener(name, back, { signal: listening.signal, capture: true })
  return {
    heard,
    end() {
      clearInterval(timer)
      listening.abort()
    },
  }
}
