import { startThread } from '#threads/start-thread.ts'

/**
 * Rebuilds a folder's index from its stored import in separate threads; searches then use the new
 * index.
 *
 * @returns a function that stops it and leaves the index as it is
 */
export function startRebuild(folder: string): () => Promise<void> {
  const worker = startThread(new URL('./rebuild-worker.ts', import.meta.url), folder)
  // Don't keep the process alive: the next start begins the rebuild again.
  worker.unref()
  worker.on('error', (error: Error) => process.emitWarning(error))
  return async () => {
    await worker.terminate()
  }
}
