/**
 * Imports code that comes late. Chrome doesn't fetch a script again that failed once, so none is
 * asked for while there is no connection, unless a service worker has it. A browser that says there is
 * none may be wrong.
 *
 * @throws if the code doesn't come
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  const seemsOffline = 'onLine' in navigator && !navigator.onLine
  if (seemsOffline && !navigator.serviceWorker?.controller)
    await fetch('/api/health', { cache: 'no-store' })
  return load()
}
