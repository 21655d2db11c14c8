import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { themeScript } from './theme.ts'

function classAfter(saved: string | null | Error, systemIsDark: boolean): string[] {
  const classes = new Set(['light'])
  runInNewContext(themeScript, {
    localStorage: {
      getItem: () => {
        if (saved instanceof Error) throw saved
        return saved
      },
    },
    matchMedia: () => ({ matches: systemIsDark }),
    document: {
      documentElement: {
        classList: {
          add: (name: string) => classes.add(name),
          remove: (...names: string[]) => names.forEach((name) => classes.delete(name)),
        },
      },
    },
  })
  return [...classes]
}

test('before the first paint the saved choice wins over the system', () => {
  expect(classAfter('dark', false)).toEqual(['dark'])
  expect(classAfter('light', true)).toEqual(['light'])
})

test('without a choice, or with a spoilt one, the system decides', () => {
  expect(classAfter(null, true)).toEqual(['dark'])
  expect(classAfter(null, false)).toEqual(['light'])
  expect(classAfter('"><script>', true)).toEqual(['dark'])
})

test('refused storage does not stop the page', () => {
  expect(classAfter(new Error('refused'), true)).toEqual(['dark'])
})

test('the script cannot close its own element', () => {
  expect(themeScript).not.toContain('</')
})
