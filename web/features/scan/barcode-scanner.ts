import type { Frame, FrameReading } from './barcode-worker.ts'

/** Reads frames, one at a time. */
export interface BarcodeScanner {
  /**
   * @param image given away: it is closed when it has been read
   * @returns the digits of every barcode on it
   * @throws when the scanner could not be loaded
   */
  read(image: ImageBitmap): Promise<string[]>
  close(): void
}

/** Starts the barcode scanner; its script and its WebAssembly are fetched now and not before. */
export function openBarcodeScanner(): BarcodeScanner {
  const worker = new Worker(new URL('./barcode-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, PromiseWithResolvers<string[]>>()
  let last = 0
  let broken = false

  function settle({ id, texts }: FrameReading): void {
    const one = waiting.get(id)
    waiting.delete(id)
    if (texts) one?.resolve(texts)
    else one?.reject(new Error('The barcode scanner does not work.'))
  }
  function fail(): void {
    broken = true
    for (const id of waiting.keys()) settle({ id, failed: true })
  }
  worker.addEventListener('message', ({ data }: MessageEvent<FrameReading>) => settle(data))
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    fail()
  })

  return {
    read(image) {
      const one = Promise.withResolvers<string[]>()
      const id = ++last
      waiting.set(id, one)
      if (broken) settle({ id, failed: true })
      else worker.postMessage({ id, image } satisfies Frame, [image])
      return one.promise
    },
    close: () => worker.terminate(),
  }
}
