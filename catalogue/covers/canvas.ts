import type { Sharp } from 'sharp'
import { loadSharp } from './picture.ts'

/** A rectangle in pixels, from the picture's left and top edge. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** The shape of some text: how far each pixel is covered, from 0 to 255. */
export interface Mask {
  width: number
  height: number
  coverage: Uint8Array
}

type Colour = readonly [red: number, green: number, blue: number]

/**
 * A picture in memory to draw on. A picture of a year has hundreds of rectangles and texts; sharp
 * takes a second to compose as many layers.
 */
export class Canvas {
  readonly width: number
  readonly height: number
  readonly #pixels: Buffer

  /** @param ground the background, as `#rrggbb` like all colours */
  constructor(width: number, height: number, ground: string) {
    this.width = width
    this.height = height
    this.#pixels = Buffer.alloc(width * height * 3, Buffer.from(rgb(ground)))
  }

  rectangle({ left, top, width, height }: Box, colour: string): void {
    const row = Buffer.alloc(width * 3, Buffer.from(rgb(colour)))
    for (let y = 0; y < height; y++) this.#row(row, left, top + y)
  }

  /** @param pixels as many as the box has, of three bytes */
  image(pixels: Uint8Array, { left, top, width, height }: Box): void {
    for (let y = 0; y < height; y++)
      this.#row(pixels.subarray(y * width * 3, (y + 1) * width * 3), left, top + y)
  }

  /** Draws a text's shape in a colour. */
  paint({ width, height, coverage }: Mask, left: number, top: number, colour: string): void {
    const pixels = this.#pixels
    const [red, green, blue] = rgb(colour)
    const mix = (at: number, channel: number, covered: number) => {
      const below = pixels[at]!
      pixels[at] = below + ((channel - below) * covered) / 255
    }
    for (let y = Math.max(0, -top); y < height && top + y < this.height; y++)
      for (let x = Math.max(0, -left); x < width && left + x < this.width; x++) {
        const covered = coverage[y * width + x]!
        if (covered === 0) continue
        const at = ((top + y) * this.width + left + x) * 3
        mix(at, red, covered)
        mix(at + 1, green, covered)
        mix(at + 2, blue, covered)
      }
  }

  /** Darkens or tints a rectangle. */
  shade({ left, top, width, height }: Box, colour: string, opacity: number): void {
    const coverage = new Uint8Array(width * height).fill(Math.round(opacity * 255))
    this.paint({ width, height, coverage }, left, top, colour)
  }

  /** @returns the picture, for sharp to encode */
  async toSharp(): Promise<Sharp> {
    const sharp = await loadSharp()
    const { width, height } = this
    return sharp(this.#pixels, { raw: { width, height, channels: 3 } })
  }

  /** Copies pixels to one row, as far as they are inside the picture. */
  #row(pixels: Uint8Array, left: number, y: number): void {
    if (y < 0 || y >= this.height) return
    const from = Math.max(0, -left)
    const to = Math.min(pixels.length / 3, this.width - left)
    if (from < to)
      this.#pixels.set(pixels.subarray(from * 3, to * 3), (y * this.width + left + from) * 3)
  }
}

function rgb(colour: string): Colour {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
