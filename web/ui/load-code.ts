/**
 * Imports code that comes late. Chrome doesn't fetch a script again that failed once, so none is
 * asked for while there is no connection, unless a service worker has it.
 *
 * @throws if the code doesn't come
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  const isOffline = 'onLine' in navigator && !navigator.onLine
  if (isOffline && !navigator.serviceWorker?.controller) throw new Error('offline')
  return load()
}
