/**
 * Imports a lazy module. Chrome never retries a module that failed to load, so none is requested while
 * there is no connection, unless a service worker has it. A browser that says there is none may be
 * wrong.
 *
 * @throws if the code doesn't come
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  const seemsOffline = 'onLine' in navigator && !navigator.onLine
  if (seemsOffline && !navigator.serviceWorker?.controller)
    await fetch('/api/health', { cache: 'no-store' })
  return load()
}
