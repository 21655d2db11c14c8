/** Pixels on each side that a pixel is compared with: about the width of a thin bar. */
const radius = 3

interface Pixels {
  /** Four bytes a pixel, as a canvas has them. */
  data: Uint8ClampedArray
  width: number
  height: number
}

/**
 * Makes the bars of a blurred picture stand out again: grey, and every pixel moved away from the
 * mean of its neighbours.
 *
 * @param amount times the difference; 0 is grey alone
 * @returns four bytes a pixel
 */
export function sharpen(
  { data, width, height }: Pixels,
  amount: number,
): Uint8ClampedArray<ArrayBuffer> {
  const grey = new Float32Array(width * height)
  // Rec. 601 luma, as the reader itself weighs colours.
  for (let at = 0; at < grey.length; at++)
    grey[at] =
      0.299 * (data[at * 4] ?? 0) +
      0.587 * (data[at * 4 + 1] ?? 0) +
      0.114 * (data[at * 4 + 2] ?? 0)
  // Twice a box is near enough to a bell.
  const soft = smooth(smooth(grey, width, height), width, height)
  const sharp = new Uint8ClampedArray(data.length)
  for (let at = 0; at < grey.length; at++) {
    const value = (grey[at] ?? 0) + amount * ((grey[at] ?? 0) - (soft[at] ?? 0))
    sharp[at * 4] = sharp[at * 4 + 1] = sharp[at * 4 + 2] = value
    sharp[at * 4 + 3] = 255
  }
  return sharp
}

/** The mean around every pixel, by rows and then by columns. */
function smooth(values: Float32Array, width: number, height: number): Float32Array {
  const rows = slide(values, { lines: height, length: width, line: width, step: 1 })
  return slide(rows, { lines: width, length: height, line: 1, step: width })
}

/** The mean of a window that slides along each line; what it left is taken off, not added anew. */
function slide(
  values: Float32Array,
  { lines, length, line, step }: { lines: number; length: number; line: number; step: number },
): Float32Array {
  const means = new Float32Array(values.length)
  const size = 2 * radius + 1
  for (let which = 0; which < lines; which++) {
    const start = which * line
    const at = (place: number) =>
      values[start + Math.min(length - 1, Math.max(0, place)) * step] ?? 0
    let sum = 0
    for (let place = -radius; place <= radius; place++) sum += at(place)
    for (let place = 0; place < length; place++) {
      means[start + place * step] = sum / size
      sum += at(place + radius + 1) - at(place - radius)
    }
  }
  return means
}
