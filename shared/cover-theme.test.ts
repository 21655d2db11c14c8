import { describe, expect, test } from 'vitest'
import {
  breakLines,
  coverColour,
  coverThemeFor,
  coverThemes,
  coverLayouts,
  fitTitle,
  bindVolumeNumbers,
  coverLayoutFor,
  titleLineHeight,
} from './cover-theme.ts'

const library = Array.from({ length: 600 }, (_, place) => [
  `Volume ${place}`,
  `Author ${place % 40}`,
])

describe('a book keeps its cover', () => {
  test('whatever the case, spacing or form of the accents', () => {
    expect(coverThemeFor('Les  misérables ', 'victor hugo')).toBe(
      coverThemeFor('Les Mise\u0301rables', 'Victor Hugo'),
    )
    expect(coverLayoutFor('EMMA', 'jane austen')).toBe(coverLayoutFor('Emma', 'Jane Austen'))
  })

  test('from one release to the next', () => {
    const drawn = (title: string, author: string) => [
      coverThemeFor(title, author).name,
      coverLayoutFor(title, author),
    ]
    expect(drawn('Middlemarch', 'George Eliot')).toEqual(['oxblood', 'sun'])
    expect(drawn('Emma', 'Jane Austen')).toEqual(['aubergine', 'band'])
    expect(drawn('こころ', '夏目漱石')).toEqual(['oxblood', 'sun'])
  })

  test('however many of its authors are named', () => {
    expect(coverThemeFor('Death Note', 'Tsugumi Ohba, Takeshi Obata')).toBe(
      coverThemeFor('Death Note', 'Tsugumi Ohba'),
    )
    expect(coverLayoutFor('Good Omens', 'Terry Pratchett, Neil Gaiman')).toBe(
      coverLayoutFor('Good Omens', 'Terry Pratchett'),
    )
  })

  test('and another book with the same title may have another', () => {
    const colours = new Set(library.map(([, author]) => coverColour('Poems', author)))
    expect(colours.size).toBeGreaterThan(6)
  })
})

test('a shelf is varied: no theme or layout has more than twice its share', () => {
  const most = (names: string[]) =>
    Math.max(
      ...Object.values(Object.groupBy(names, (name) => name)).map((group) => group?.length ?? 0),
    )
  const themesUsed = library.map(([title = '', author]) => coverThemeFor(title, author).name)
  const layoutsUsed = library.map(([title = '', author]) => coverLayoutFor(title, author))
  expect(new Set(themesUsed).size).toBe(coverThemes.length)
  expect(new Set(layoutsUsed).size).toBe(coverLayouts.length)
  expect(most(themesUsed)).toBeLessThan((library.length / coverThemes.length) * 2)
  expect(most(layoutsUsed)).toBeLessThan((library.length / coverLayouts.length) * 2)
})

describe('the title', () => {
  const box = { width: 72, height: 90 }

  test('is large when short and small when long', () => {
    expect(fitTitle('Emma', box).size).toBe(20)
    expect(fitTitle('A long title '.repeat(20), box).size).toBe(7.2)
  })

  test('is small enough for its longest word to stay whole', () => {
    const { size } = fitTitle('Crime and Punishment', box)
    expect('Punishment'.length * 0.54 * size).toBeLessThanOrEqual(box.width)
  })

  test('is small enough to be whole, however its words fall into lines', () => {
    const frame = { width: 70, height: 94 }
    const { size, lines } = fitTitle('The Picture of Dorian Gray', frame)
    expect(breakLines('The Picture of Dorian Gray', frame.width / size).length).toBeLessThanOrEqual(
      lines,
    )
    expect(size).toBeGreaterThan(14)
    expect(breakLines('The Picture of Dorian Gray', 8)).toEqual(['The Picture of', 'Dorian Gray'])
    expect(breakLines('吾輩は猫である', 3.2)).toEqual(['吾輩は', '猫であ', 'る'])
  })

  test('may fill its box to the last line', () => {
    const label = { width: 62, height: 70, largest: 14.5 }
    const title = bindVolumeNumbers('Demon Slayer: Kimetsu no Yaiba, Vol. 1')
    const { size, lines } = fitTitle(title, label)
    expect(breakLines(title, label.width / size).length).toBeLessThanOrEqual(lines)
    expect(lines).toBe(Math.round(label.height / (size * titleLineHeight)))
  })

  test('is smaller in wide letters: capitals, Cyrillic', () => {
    expect(fitTitle('MIDDLEMARCH', box).size).toBeLessThan(fitTitle('middlemarch', box).size)
    expect(fitTitle('Преступление', box).size).toBeLessThan(fitTitle('prestuplenie', box).size)
    // Measured: "WOMMWW" is 5.8 ems wide.
    expect(fitTitle('WOMMWW', box).size * 5.8).toBeLessThanOrEqual(box.width)
  })

  test('counts a Japanese character as a full em', () => {
    expect(fitTitle('吾輩は猫である', box).size).toBeGreaterThan(10)
    expect(fitTitle('猫'.repeat(60), box).size).toBeLessThan(fitTitle('猫', box).size)
  })

  test('never asks for more lines than the box has', () => {
    for (const title of ['It', 'Emma', 'word '.repeat(80), '猫'.repeat(200)]) {
      const { size, lines } = fitTitle(title, box)
      expect(lines * size * 1.12).toBeLessThanOrEqual(Math.max(box.height, size * 1.12))
    }
  })

  test('keeps the number of a volume beside its word', () => {
    const title = bindVolumeNumbers('Bleach, Vol. 10: No. 1')
    expect(title).toBe('Bleach, Vol.\u00a010: No.\u00a01')
    const { size } = fitTitle(bindVolumeNumbers('X, Vol. 100'), { width: 40, height: 90 })
    // Measured: 3.75 ems.
    expect(3.75 * size).toBeLessThanOrEqual(40)
    expect(bindVolumeNumbers('No. Not yet')).toBe('No. Not yet')
  })

  test('may be empty', () => {
    expect(fitTitle('', box).lines).toBeGreaterThan(0)
  })
})
