const extension = 0x21
const image = 0x2c
const trailer = 0x3b

/**
 * Whether a GIF goes on until its trailer (GIF89a, section 27). The decoder takes what there is of one
 * that was cut off as a shorter animation.
 *
 * @param bytes of a file that begins as a GIF does
 */
export function isWholeGif(bytes: Uint8Array): boolean {
  // The header and the logical screen descriptor, whose flags tell the size of the colour table.
  let at = 13 + colourTable(bytes[10])
  for (;;) {
    const block = bytes[at++]
    if (block === trailer) return true
    if (block === extension) at = afterSubBlocks(bytes, at + 1)
    else if (block === image) at = afterSubBlocks(bytes, at + 10 + colourTable(bytes[at + 8]))
    // Some programs leave empty bytes between blocks.
    else if (block !== 0) return false
  }
}

/** @returns the bytes of the table that flags announce: 3 for each of 2 to 256 colours, or none */
const colourTable = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** @returns the place after sub-blocks, each of which begins with its length, up to an empty one */
function afterSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  for (let length = bytes[at++]; length; length = bytes[at++]) at += length
  return at
}
