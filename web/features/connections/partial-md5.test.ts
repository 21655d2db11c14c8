import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { md5, partialMd5 } from './partial-md5.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255)
const expected = (data: Uint8Array) => createHash('md5').update(data).digest('hex')

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 12_288])('MD5 of %d bytes', (length) => {
  expect(md5(bytes(length))).toBe(expected(bytes(length)))
})

// As in docs/devices.md: byte i of each file is (7 i + ⌊i / 256⌋) mod 256.
test.each([
  [0, 'd41d8cd98f00b204e9800998ecf8427e'],
  [1, '93b885adfe0da089cdf634904fd59f71'],
  [1024, 'e3c38a26dde2f1240488828012116299'],
  [1025, 'a7012636ea832538a0764e75f7fa2443'],
  [5000, '81520cd47a1fcc5f25355c3f3feadd9c'],
  [20000, '3d2446ce93e0a44ec6da372b3275944a'],
  [70000, '630956e9ad835a13bdb64a0a7eccc983'],
])('KOReader’s name for a file of %d bytes', async (length, name) => {
  expect(await partialMd5(new Blob([bytes(length)]))).toBe(name)
})

test('the name is the MD5 of 1 KB at each place, as KOReader’s util.lua reads it', async () => {
  const file = bytes(300_000)
  const pieces: Uint8Array[] = []
  for (let i = -1; i <= 10; i++) {
    // LuaJIT’s shift by -2 wraps around to 0.
    const at = i < 0 ? 0 : 1024 << (2 * i)
    const piece = file.slice(at, at + 1024)
    if (piece.length === 0) break
    pieces.push(piece)
  }
  expect(await partialMd5(new Blob([file]))).toBe(expected(Buffer.concat(pieces)))
})
