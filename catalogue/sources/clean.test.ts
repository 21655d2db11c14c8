import { expect, it } from 'vitest'
import { cleanDescription, cleanGenres, cleanName } from './clean.ts'

it.each([
  ['Les Mis&eacute;rables', 'Les Misérables'],
  ['&Eacute;mile &amp; Fils', 'Émile & Fils'],
  ['R&AMP;D', 'R&D'],
  ['&#201;mile &#x1F600;', 'Émile 😀'],
  ['&valueOf; &toString; &nothing;', '&valueOf; &toString; &nothing;'],
  ['&lt;b&gt;Emma&lt;/b&gt;', 'Emma'],
  ['\u202EammE\uD83D', 'ammE'],
])('reads the name %s', (given, name) => expect(cleanName(given)).toBe(name))

it.each(['👩‍🚀', '🇬🇧', 'x\u0303', '😀'])('cuts no half of %s off a long text', (last) => {
  const name = 'a'.repeat(499)
  expect(cleanName(name + last)).toBe(name)
  expect(cleanDescription('a'.repeat(7999) + last)).toBe('a'.repeat(7999))
})

it('makes paragraphs of markup, and leaves out where a text is from', () => {
  const given = '<p>One <b>bold</b> word.</p><p>Two.<br>Three.</p>\n----------\nAlso in: ...'
  expect(cleanDescription(given)).toBe('One bold word.\nTwo.\nThree.')
})

it('shows subjects that say what a book is about', () => {
  const given = ['fiction / Literary', 'Fiction.', 'nyt:2012-01-01', 'In library', 'x']
  expect(cleanGenres(given)).toEqual(['Fiction', 'Literary'])
})
