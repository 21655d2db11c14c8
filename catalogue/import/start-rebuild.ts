import { startThread } from '../start-thread.ts'

/**
 * Makes the index of a folder anew of the import that is kept there, in threads of its own; the
 * searches take it up by themselves.
 *
 * @returns stops it; the index stays as it is then
 */
export function startRebuild(folder: string): () => Promise<void> {
  const worker = startThread(new URL('./rebuild-worker.ts', import.meta.url), folder)
  // Nobody waits for it: a process that ends leaves the old index and begins anew when it starts.
  worker.unref()
  worker.on('error', (error: Error) => process.emitWarning(error))
  return async () => {
    await worker.terminate()
  }
}
