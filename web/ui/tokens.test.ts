import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { avatarColours } from './avatar-colour.ts'
import { accents } from '#shared/accent.ts'
import { coverThemes } from '#shared/cover-theme.ts'
import { themeColors } from './theme.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

const tokensOf = (css: string) =>
  new Map(
    [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
      ([, name, light, dark]) => [name, { light, dark }] as const,
    ),
  )
const tokens = tokensOf(read('../app.css'))

/** The colours that each accent replaces. */
const ownTokens = new Map(
  read('../accents.css')
    .split('}')
    .flatMap((block) => {
      const name = /\[data-accent='([a-z]+)'\] \{/.exec(block)?.[1]
      return name ? [[name, tokensOf(block)] as const] : []
    }),
)

function token(name: string, theme: 'light' | 'dark'): string {
  const value = tokens.get(name)?.[theme]
  if (!value) throw new Error(`app.css has no colour --${name}`)
  return value
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** CIE lightness, 0 to 100. */
function lightness(hex: string): number {
  return 116 * Math.cbrt(luminance(hex)) - 16
}

const statuses = ['reading', 'completed', 'planning', 'paused', 'dropped']

describe.each(['light', 'dark'] as const)('%s theme', (theme) => {
  const failing = (text: string, grounds: string[], least: number) =>
    grounds.filter((ground) => contrast(token(text, theme), token(ground, theme)) < least)

  test.each(['ink', 'ink-soft', 'ink-faint', 'rubric', 'danger'])(
    '%s can be read on every ground',
    (text) => {
      expect(failing(text, ['paper', 'surface', 'raised', 'sunken'], 4.5)).toEqual([])
    },
  )

  test.each(statuses)('%s can be read on every ground and on its tint', (status) => {
    const grounds = ['paper', 'surface', 'raised', 'sunken', `${status}-tint`]
    expect(failing(status, grounds, 4.5)).toEqual([])
  })

  test('ink and rubric can be read on the tints of messages', () => {
    const tints = ['rubric-tint', 'paused-tint', 'reading-tint', 'completed-tint']
    expect(failing('ink', tints, 4.5)).toEqual([])
    expect(failing('rubric', ['rubric-tint'], 4.5)).toEqual([])
  })

  test('lettering on the filled button can be read, pressed or not', () => {
    expect(failing('on-rubric', ['rubric-fill', 'rubric-fill-hover'], 4.5)).toEqual([])
  })

  test('edges of controls stand out by 3:1', () => {
    expect(failing('line-strong', ['paper', 'surface', 'raised', 'sunken'], 3)).toEqual([])
  })

  test('depth is seen without borders', () => {
    const above = (ground: string) => contrast(token(ground, theme), token('paper', theme))
    const [surface, raised] = theme === 'dark' ? [1.12, 1.28] : [1.07, 1.07]
    expect(above('surface')).toBeGreaterThanOrEqual(surface - 0.005)
    expect(above('raised')).toBeGreaterThanOrEqual(raised - 0.005)
  })

  test('the five statuses differ in lightness, not in hue alone', () => {
    const sorted = statuses.map((status) => lightness(token(status, theme))).sort((a, b) => a - b)
    const gaps = sorted.slice(1).map((value, place) => value - (sorted[place] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(1.5)
    expect((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)).toBeGreaterThan(15)
  })

  test('the browser frame has the colour of the paper', () => {
    expect(themeColors[theme]).toBe(token('paper', theme))
  })
})

test('every accent has its colours, and the first is what the page has without', () => {
  expect([...ownTokens.keys()]).toEqual(accents)
  for (const [name, colours] of ownTokens.get('rubric') ?? [])
    expect([name, colours]).toEqual([name, tokens.get(name)])
})

describe.each(accents)('accent %s', (accent) => {
  test.each(['light', 'dark'] as const)('can be read in the %s theme', (theme) => {
    const own = (name: string) => ownTokens.get(accent)?.get(name)?.[theme] ?? ''
    for (const ground of ['paper', 'surface', 'raised', 'sunken'])
      expect(contrast(own('rubric'), token(ground, theme))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(own('rubric'), own('rubric-tint'))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token('ink', theme), own('rubric-tint'))).toBeGreaterThanOrEqual(4.5)
    for (const fill of ['rubric-fill', 'rubric-fill-hover'])
      expect(contrast(token('on-rubric', theme), own(fill))).toBeGreaterThanOrEqual(4.5)
  })
})

test.each(coverThemes)('lettering on a $name cover can be read', ({ ground, shade, foil }) => {
  expect(contrast(foil, ground)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(foil, shade)).toBeGreaterThanOrEqual(4.5)
})

test('there are fourteen avatar colours and white can be read on each', () => {
  expect(new Set(avatarColours).size).toBe(14)
  for (const colour of avatarColours)
    expect(contrast('#ffffff', colour)).toBeGreaterThanOrEqual(4.5)
})
