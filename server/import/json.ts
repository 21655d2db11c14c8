import { createReadStream } from 'node:fs'
import { JSONParser } from '@streamparser/json'
import { withoutZeros } from '#shared/text.ts'
import type { TextFile } from './decode.ts'
import { ImportError } from './import-error.ts'

/**
 * Streams the values that match paths, such as `$.books.*`, from a JSON document. None stays in
 * memory.
 *
 * @returns each value with its parent's name: `books`, or '' at the top level
 * @throws ImportError if the document ends too early or isn't JSON
 */
export async function* jsonValues(
  { path, start }: TextFile,
  paths: readonly string[],
): AsyncGenerator<{ holder: string; key: string; value: unknown }> {
  let found: { holder: string; key: string; value: unknown }[] = []
  let isEnded = false
  const parser = new JSONParser({ paths: [...paths], keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    found.push({ holder: String(stack[1]?.key ?? ''), key: String(key), value: plainText(value) })
  }
  parser.onEnd = () => {
    isEnded = true
  }
  const taken = () => {
    const some = found
    found = []
    return some
  }
  try {
    for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
      parser.write(chunk)
      yield* taken()
    }
    if (!isEnded) parser.end()
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw notWhole(cause)
  }
  if (!isEnded) throw notWhole(undefined)
}

const notWhole = (cause: unknown) => new ImportError('jsonIncomplete', {}, cause)

/** Removes NUL, which PostgreSQL can't store. */
function plainText(value: unknown): unknown {
  if (typeof value === 'string') return withoutZeros(value)
  if (Array.isArray(value)) return value.map(plainText)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__proto__')
      .map(([name, one]) => [withoutZeros(name), plainText(one)]),
  )
}
