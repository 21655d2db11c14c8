/** Rotations of MD5's four rounds; see RFC 1321. */
const rotations = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const
const constants = Array.from({ length: 64 }, (_, i) =>
  Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32),
)

/** @returns the MD5 of some bytes in hexadecimal, which browsers can't compute themselves */
export function md5(bytes: Uint8Array): string {
  const blocks = Math.ceil((bytes.length + 9) / 64)
  const padded = new DataView(new ArrayBuffer(64 * blocks))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setBigUint64(64 * blocks - 8, 8n * BigInt(bytes.length), true)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as [number, number, number, number]
  for (let block = 0; block < blocks; block++) {
    let [a, b, c, d] = state
    for (let i = 0; i < 64; i++) {
      const [mixed, word] = mix(i, b, c, d)
      const sum = (a + mixed + constants[i]! + padded.getUint32(64 * block + 4 * word, true)) | 0
      const by = rotations[i >> 4]![i & 3]!
      ;[a, d, c, b] = [d, c, b, (b + ((sum << by) | (sum >>> (32 - by)))) | 0]
    }
    for (const [i, value] of [a, b, c, d].entries()) state[i] = (state[i]! + value) | 0
  }
  const result = new DataView(new ArrayBuffer(16))
  for (const [i, value] of state.entries()) result.setUint32(4 * i, value >>> 0, true)
  return Array.from(new Uint8Array(result.buffer), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** @returns a step's combination of three words, and which word of the block it takes */
function mix(i: number, b: number, c: number, d: number): [mixed: number, word: number] {
  if (i < 16) return [(b & c) | (~b & d), i]
  if (i < 32) return [(d & b) | (~d & c), (5 * i + 1) % 16]
  if (i < 48) return [b ^ c ^ d, (3 * i + 5) % 16]
  return [c ^ (b | ~d), (7 * i) % 16]
}

/** KOReader reads this much at each place: the beginning, then 1 KB, 4 KB, 16 KB and so on. */
const size = 1024
const places = [0, ...Array.from({ length: 11 }, (_, i) => 1024 * 4 ** i)]

/** @returns what KOReader calls a file by default: the MD5 of twelve pieces of it, as far as they exist */
export async function partialMd5(file: Blob): Promise<string> {
  const pieces = places.filter((at) => at < file.size).map((at) => file.slice(at, at + size))
  return md5(new Uint8Array(await new Blob(pieces).arrayBuffer()))
}
