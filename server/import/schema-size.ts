import { closeSync, openSync, readSync } from 'node:fs'

/** The types of a page of a table, in its first byte. */
const [interior, leaf] = [5, 13]
/** Bytes of the file's header, which the first page begins with. */
const fileHeader = 100

/**
 * Adds up the lengths of a SQLite database's schema without SQLite, which reads all of it before
 * anything else and can't be interrupted meanwhile: 20 MB take it half a minute.
 *
 * @returns bytes; Infinity if the schema has more levels of pages than any usual one
 * @throws RangeError for a file whose pages aren't what they should be
 */
export function schemaSize(path: string): number {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(fileHeader)
    readSync(file, header, 0, fileHeader, 0)
    const size = header.readUInt16BE(16)
    const pageSize = size === 1 ? 65_536 : size
    const page = (number: number) => {
      const bytes = Buffer.alloc(pageSize)
      readSync(file, bytes, 0, pageSize, (number - 1) * pageSize)
      return bytes
    }
    const root = page(1)
    if (root[fileHeader] === leaf) return payloadOf(root, fileHeader)
    if (root[fileHeader] !== interior) return Infinity
    const last = root.readUInt32BE(fileHeader + 8)
    const children = cellsOf(root, fileHeader).map((at) => root.readUInt32BE(at))
    let sum = 0
    for (const child of [...children, last]) {
      const bytes = page(child)
      if (bytes[0] !== leaf) return Infinity
      sum += payloadOf(bytes, 0)
    }
    return sum
  } finally {
    closeSync(file)
  }
}

/** @returns the bytes of a leaf's rows, including those on other pages */
function payloadOf(page: Buffer, start: number): number {
  return cellsOf(page, start).reduce((sum, at) => sum + variableInteger(page, at), 0)
}

/** @returns where a page's cells begin */
function cellsOf(page: Buffer, start: number): number[] {
  const first = start + (page[start] === leaf ? 8 : 12)
  const count = page.readUInt16BE(start + 3)
  return Array.from({ length: count }, (_, n) => page.readUInt16BE(first + 2 * n))
}

/** Seven bits in each byte; the last one's highest bit is unset. */
function variableInteger(page: Buffer, at: number): number {
  let value = 0
  for (let n = at; ; n++) {
    const byte = page.readUInt8(n)
    value = value * 128 + (byte & 127)
    if (byte < 128) return value
  }
}
