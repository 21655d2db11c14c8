import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'

/**
 * Reads barcodes away from the page, so that the camera stays smooth, and so that only this script
 * is allowed WebAssembly and no page is (see `server/http/static.ts`). Price add-ons are not asked
 * for and so never read.
 */
prepareZXingModule({ overrides: { locateFile: () => wasm } })
const detector = new BarcodeDetector({ formats: ['ean_13', 'upc_a'] })

/** A frame to read. */
export interface Frame {
  id: number
  image: ImageBitmap
}

/** What was on it: the digits of its barcodes, or that reading is not possible here. */
export interface FrameReading {
  id: number
  texts?: string[]
  failed?: true
}

const answer = (reading: FrameReading): void => postMessage(reading)

async function read({ id, image }: Frame): Promise<void> {
  try {
    const found = await detector.detect(image)
    answer({ id, texts: found.map(({ rawValue }) => rawValue) })
  } catch {
    answer({ id, failed: true })
  } finally {
    image.close()
  }
}

addEventListener('message', (event: MessageEvent<Frame>) => void read(event.data))
