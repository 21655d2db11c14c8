import { readFileSync } from 'node:fs'

let lines: Map<string, string> | undefined

/**
 * @param isbn13 of any edition in `books.tsv`
 * @returns the ISBN-13s of the books that stand on the same to-read lists, nearest first
 */
export function neighboursOf(isbn13: string): string[] {
  lines ??= readLines()
  return lines.get(isbn13)?.split(' ') ?? []
}

/** Read when the first book's page asks. */
function readLines(): Map<string, string> {
  const text = readFileSync(new URL('neighbours.txt', import.meta.url), 'utf8')
  const start = '9780000000000 '.length
  return new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, start - 1), line.slice(start)]),
  )
}
