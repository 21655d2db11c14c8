import { withoutZeros } from '#shared/text.ts'

/** What a table of Lua's can hold. */
export type LuaValue = string | number | boolean | null | LuaTable
export type LuaTable = ReadonlyMap<string | number, LuaValue>

/** Tables in each other; KOReader's have five. */
const depthAtMost = 50

/** A token, after whitespace and comments. */
const token =
  /(?:\s|--[^\n]*\n)*(?:("(?:[^"\\]|\\[^])*")|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_]\w*)|([{}[\]=,;]))/y

/**
 * Reads a Lua file that returns a table, as KOReader writes its settings. Nothing in it runs.
 *
 * @returns null if it is anything else
 */
export function parseLuaTable(text: string): LuaTable | null {
  let at = 0
  let current = ''
  const next = () => {
    token.lastIndex = at
    current =
      token
        .exec(text)
        ?.slice(1)
        .find((part) => part !== undefined) ?? ''
    at = current ? token.lastIndex : text.length
    return current
  }
  const table = (depth: number): LuaTable => {
    const values = new Map<string | number, LuaValue>()
    for (let index = 1; next() !== '}';) {
      if (current === '[') {
        next()
        const key = scalar()
        if (next() !== ']' || next() !== '=') throw new SyntaxError('no value')
        next()
        if (typeof key === 'string' || typeof key === 'number') values.set(key, value(depth))
      } else if (current !== ',' && current !== ';') values.set(index++, value(depth))
    }
    return values
  }
  const value = (depth: number): LuaValue => {
    if (current !== '{') return scalar()
    if (depth === depthAtMost) throw new SyntaxError('too deep')
    return table(depth + 1)
  }
  const scalar = () => {
    if (current.startsWith('"')) return unquoted(current)
    const number = Number(current || Number.NaN)
    if (!Number.isNaN(number)) return number
    if (current === 'true' || current === 'false') return current === 'true'
    if (current === 'nil') return null
    throw new SyntaxError('no value')
  }
  try {
    return next() === 'return' && next() === '{' ? table(1) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

const unquoted = (quoted: string) =>
  withoutZeros(
    quoted
      .slice(1, -1)
      .replace(/\\(\d{1,3}|[^])/g, (_, code: string) =>
        /^\d/.test(code) ? String.fromCharCode(Number(code)) : (escapes[code] ?? code),
      ),
  )
