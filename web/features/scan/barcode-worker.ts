import '#web/ui/older-browsers.ts'
import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { parseBarcode } from '#shared/barcode.ts'
import { sharpen } from './sharpen.ts'

/**
 * Reads barcodes away from the page, so that the camera stays smooth, and so that only this script
 * is allowed WebAssembly and no page is (see `server/http/static.ts`). Price add-ons are not asked
 * for and so never read.
 */
prepareZXingModule({ overrides: { locateFile: () => wasm } })
const detector = new BarcodeDetector({ formats: ['ean_13', 'upc_a'] })

export interface Frame {
  id: number
  image: ImageBitmap
}

/** The result: the digits of the barcodes, or that this browser can't read them. */
export interface FrameReading {
  id: number
  texts?: string[]
  failed?: true
}

/** How much a picture is sharpened that cannot be read as it is. */
const sharpenings = [2, 3]

const canvas = new OffscreenCanvas(1, 1)
const brush = canvas.getContext('2d', { willReadFrequently: true })

/**
 * Reads a frame as it is, upright and on its side. Where that gives no book its code may be held
 * slantwise, printed white on black, or both, also beside another code that is easier to read. Where
 * nothing is read it may be blurred. A blurred one is sharpened in two ways, and only what both say
 * counts: sharpened bars can be taken for others whose check digit is right as well, but hardly for
 * the same ones twice.
 */
async function textsOn(image: ImageBitmap): Promise<string[]> {
  const { width, height } = image
  const pixels = draw(image, width, height)
  if (!pixels) return []
  const tilted = () => turned(image) ?? pixels
  const others: string[] = []
  for (const view of [() => pixels, tilted, () => inverted(pixels), () => inverted(tilted())]) {
    const texts = await detect(view())
    if (texts.some((text) => 'isbn' in parseBarcode(text))) return texts
    others.push(...texts)
  }
  if (others.length > 0) return others
  const readings = await Promise.all(
    sharpenings.map((amount) => detect(new ImageData(sharpen(pixels, amount), width, height))),
  )
  return readings[0]?.filter((text) => readings.every((reading) => reading.includes(text))) ?? []
}

/** @returns the frame turned by 45 degrees, whole */
function turned(image: ImageBitmap): ImageData | undefined {
  const side = Math.ceil((image.width + image.height) * Math.SQRT1_2)
  return draw(image, side, side, Math.PI / 4)
}

function inverted({ data, width, height }: ImageData): ImageData {
  const negative = data.map((value, at) => (at % 4 === 3 ? value : 255 - value))
  return new ImageData(negative, width, height)
}

/** @param angle in radians, around the middle */
function draw(image: ImageBitmap, width: number, height: number, angle = 0) {
  Object.assign(canvas, { width, height })
  brush?.translate(width / 2, height / 2)
  brush?.rotate(angle)
  brush?.drawImage(image, -image.width / 2, -image.height / 2)
  return brush?.getImageData(0, 0, width, height)
}

async function detect(pixels: ImageData): Promise<string[]> {
  return (await detector.detect(pixels)).map(({ rawValue }) => rawValue)
}

const answer = (reading: FrameReading): void => postMessage(reading)

async function read({ id, image }: Frame): Promise<void> {
  try {
    answer({ id, texts: await textsOn(image) })
  } catch {
    answer({ id, failed: true })
  } finally {
    image.close()
  }
}

addEventListener('message', (event: MessageEvent<Frame>) => void read(event.data))
