const script = '/service-worker.js'

interface Message {
  reader: string
  keep?: string[]
  isChanged?: boolean
  seen?: string
}

/**
 * Has this build's worker run, and takes away what others left: workers of another script, and
 * caches that are not ours.
 *
 * @param onState told whether the worker found the server silent
 * @returns ends listening
 */
export function startServiceWorker(onState: (isOffline: boolean) => void): () => void {
  const container = navigator.serviceWorker
  const hear = ({ data }: MessageEvent<{ isOffline?: boolean }>) => {
    if (data.isOffline) onState(true)
  }
  container.addEventListener('message', hear)
  void clearStale()
    .then(runNewest)
    // Without a connection, or where workers are forbidden, Octavo does without.
    .catch(() => undefined)
  return () => container.removeEventListener('message', hear)
}

/**
 * A worker that runs is not compared with the server's by registering it, and the browser's own
 * look after a page was opened is left out when it has just looked: so it is asked for.
 */
async function runNewest(): Promise<void> {
  const registration = await navigator.serviceWorker.register(script, { updateViaCache: 'none' })
  if (registration.active) await registration.update()
}

/**
 * @param work what to do when the worker of another build takes over, which has kept nothing yet
 * @returns ends it
 */
export function onNewServiceWorker(work: () => void): () => void {
  navigator.serviceWorker.addEventListener('controllerchange', work)
  return () => navigator.serviceWorker.removeEventListener('controllerchange', work)
}

async function clearStale(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations()
  for (const one of registrations) {
    const worker = one.active ?? one.waiting ?? one.installing
    if (worker && worker.scriptURL !== location.origin + script) await one.unregister()
  }
  for (const name of await caches.keys()) if (!name.startsWith('octavo-')) await caches.delete(name)
}

/** Tells the worker, as soon as there is one that has taken away what an earlier build kept. */
export async function cachePages(message: Message): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  if (!active) return
  if (active.state === 'activating')
    await new Promise((done) => active.addEventListener('statechange', done, { once: true }))
  active.postMessage(message, [])
}

/** Nobody is signed in: delete readers' data, whether the worker runs or not. */
export async function clearPageCache(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  registration?.active?.postMessage({ reader: '' }, [])
  await caches.delete('octavo-pages')
}
