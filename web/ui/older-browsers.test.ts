import { readFileSync, readdirSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'

const script = stripTypeScriptTypes(
  readFileSync(join(import.meta.dirname, 'older-browsers.ts'), 'utf8'),
)

/** Runs code where the language lacks what older browsers lack, after what makes up for it. */
function inOlderBrowser(code: string): unknown {
  // Without the functions beside it.
  const bare = function (address: string, base?: string) {
    return new URL(address, base)
  }
  return runInContext(
    `delete Promise.withResolvers; delete Map.groupBy
    delete String.prototype.toWellFormed; delete String.prototype.isWellFormed
    ${script}; ${code}`,
    createContext({ URL: bare }),
  )
}

test('addresses are parsed', () => {
  expect(
    inOlderBrowser(`[URL.canParse('https://example.org'), URL.canParse('no'),
    URL.canParse('/a', 'https://example.org'), URL.parse('no'), URL.parse('https://a.test/b').pathname
  ].join()`),
  ).toBe('true,false,true,,/b')
})

test('promises come with what settles them', async () => {
  expect(
    await inOlderBrowser(`const one = Promise.withResolvers(); one.resolve('done'); one.promise`),
  ).toBe('done')
})

test('groups keep their order', () => {
  expect(
    inOlderBrowser(`JSON.stringify([...Map.groupBy([1, 2, 3, 4], (n) => n % 2 ? 'odd' : 'even')])`),
  ).toBe('[["odd",[1,3]],["even",[2,4]]]')
})

test('halves of characters are found and replaced', () => {
  const strings = ['Emma', '😀', 'a\uD800', '\uDC00b', '\uD83D\uD83D\uDE00']
  for (const text of strings) {
    const code = JSON.stringify(text)
    expect(inOlderBrowser(`${code}.isWellFormed()`)).toBe(text.isWellFormed())
    expect(inOlderBrowser(`${code}.toWellFormed()`)).toBe(text.toWellFormed())
  }
})

/** Of the language and of browsers, newer than the oldest that we support, and not added above. */
const tooNew: readonly RegExp[] = [
  /\bObject\.groupBy\b/,
  /\bArray\.fromAsync\b/,
  /\bPromise\.try\b/,
  /\bAbortSignal\.any\b/,
  /\bRegExp\.escape\b/,
  /\bIterator\.(?:from|prototype)\b/,
  /(?<!Object)\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|some|every|find|flatMap|take|drop|toArray|reduce|forEach)\(/,
  /\.matchAll\([^()]*\)\s*\.(?:map|filter|some|every|find|toArray)\(/,
  /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  /\.(?:toBase64|fromBase64|toHex|fromHex)\(/,
  /\bIntl\.DurationFormat\b/,
  /\bMath\.(?:sumPrecise|f16round)\b/,
  /[=(,:]\s*\/(?:[^/\n\\]|\\.)+\/[a-uw-z]*v[a-z]*\b/,
  /(?<!typeof )\brequestIdleCallback\(/,
]

test('no screen needs what the oldest supported browsers lack', () => {
  const root = join(import.meta.dirname, '../..')
  const files = ['web', 'shared']
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(room, file),
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  const found = files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    return tooNew.filter((name) => name.test(code)).map((name) => `${file}: ${name}`)
  })
  expect(found).toEqual([])
})
