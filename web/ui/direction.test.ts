import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const web = join(import.meta.dirname, '..')

/** Utilities of Tailwind that name a side of the screen, where `s` and `e` name one of the text. */
const physical =
  /^(?:(?:m|p|scroll-m|scroll-p)[lr]-|(?:left|right)-|(?:text|float|clear|origin|object|bg)-(?:[a-z]+-)*(?:left|right)\b|rounded-(?:[lr]|[tb][lr])\b|border-[lr]\b|translate-x-|(?:bg-linear|bg-gradient|mask)-to-(?:[tb]?[lr])\b)/

/** CSS declarations, and their names in React's styles. */
const declared =
  /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-?)?(?:left|right)(?:-?\w+)?:\s*(?:[\d'"`$.-]|auto|calc|var)|(?:text-?align|float):\s*['"]?(?:left|right)\b|gradient\(\s*to (?:left|right)\b/gi

/** Files whose sides are the same in every language. */
const kept: Record<string, string> = {
  'features/library/finish/finish-ledge.tsx': 'a spine is shaded alike at both sides',
  'features/profile/spine-band.tsx': 'a spine is shaded alike at both sides',
  'ui/spine.tsx': 'its writing runs down, so sides of the text are the head and the foot',
  'ui/typographic-cover.tsx': 'a cover has its back at the left in every language',
}

/** @returns the classes and declarations that name a side and say nothing of right to left */
function sidesIn(source: string): string[] {
  const classes = [...source.matchAll(/(['"`])((?:(?!\1)[^\n])*)\1/g)].flatMap(
    ([, , text = '']) => {
      const words = text.split(/\s+/)
      const turned = words.filter((word) => word.includes('rtl:')).map(plain)
      return words
        .filter((word) => physical.test(nameOf(word)) && !/\b(?:rtl|ltr):/.test(word))
        .filter((word) => !turned.includes(opposite(plain(word))))
    },
  )
  return [...classes, ...[...source.matchAll(declared)].map(([text]) => text.replace(/:.*/s, ':'))]
}

/** @returns `translate-x-1` of `md:hover:-translate-x-1!` */
const nameOf = (word: string) => word.replace(/^.*:(?![^[]*\])/, '').replace(/^[-!]+/, '')
const plain = (word: string) => word.replace(/\brtl:/, '')

/** @returns what a class is from right to left */
function opposite(word: string): string {
  const sides: Record<string, string> = {
    left: 'right',
    right: 'left',
    'to-l': 'to-r',
    'to-r': 'to-l',
  }
  if (word.includes('translate-x'))
    return word.replace(/(-?)(translate-x)/, (_, minus, name) => (minus ? name : `-${name}`))
  return word.replace(/\b(?:left|right|to-[lr])\b/, (side) => sides[side]!)
}

test('classes and styles that name a side are found', () => {
  const source = `
    <p className="ml-2 -mr-1 md:pl-3 ms-2 text-start inset-x-0 rounded-s-md" />
    <p className="on:translate-x-1 rtl:on:-translate-x-1 origin-left rtl:origin-right translate-x-2" />
    <i style={{ left: 0, marginRight: 2, insetInlineStart: 0, textAlign: 'left' }} className='hover:[&_b]:text-left border-r' />`
  expect(sidesIn(source).join(' ')).toBe(
    'ml-2 -mr-1 md:pl-3 translate-x-2 hover:[&_b]:text-left border-r left: marginRight: textAlign:',
  )
})

test('every screen can be mirrored: its sides are those of the text', () => {
  const files = globSync('**/*.{tsx,ts,css}', { cwd: web }).filter(
    (file) => !/\.test\.|\.d\.ts$/.test(file),
  )
  const found = new Map(files.map((file) => [file, sidesIn(readFileSync(join(web, file), 'utf8'))]))
  const named = [...found].filter(([, sides]) => sides.length > 0)
  expect(named.filter(([file]) => !(file in kept))).toEqual([])
  expect(Object.keys(kept).filter((file) => !found.get(file)?.length)).toEqual([])
})
