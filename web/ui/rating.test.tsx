import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { setLanguageOfRequest } from '#web/i18n/language.ts'
import { ratingAfterKey } from './rating-steps.ts'
import { RatingScaleContext } from './rating-scale.ts'
import { RatingInput } from './rating-input.tsx'
import { RatingSelect } from './rating-select.tsx'
import { Rating } from './rating.tsx'

describe('keys on the rating', () => {
  test.each([
    ['ArrowRight', 7, 7.5],
    ['ArrowUp', 0, 0.5],
    ['ArrowLeft', 7, 6.5],
    ['ArrowDown', 0.5, 0],
    ['ArrowUp', 7.3, 7.5],
    ['ArrowDown', 7.3, 7],
    ['PageUp', 7, 9],
    ['PageDown', 1, 0],
    ['End', 3, 10],
    ['Home', 3, 0],
    ['Delete', 8, 0],
    ['8', 2.5, 8],
    ['0', 2.5, 0],
    ['٨', 2.5, 8],
    ['０', 2.5, 0],
  ])('%s on %s gives %s', (key, from, to) => {
    expect(ratingAfterKey(key, from, 10)).toBe(to)
  })

  test.each([
    ['ArrowRight', 7, 8],
    ['ArrowRight', 7.5, 8],
    ['ArrowLeft', 7.5, 7],
    ['PageUp', 7, 9],
    ['4', 0, 8],
    ['5', 0, 10],
    ['6', 3, null],
  ])('%s on %s out of 5 gives %s', (key, from, to) => {
    expect(ratingAfterKey(key, from, 5)).toBe(to)
  })

  test('follow the stars where these begin at the right', () => {
    setLanguageOfRequest(() => 'ar')
    onTestFinished(() => setLanguageOfRequest(() => 'en'))
    expect(ratingAfterKey('ArrowLeft', 7, 10)).toBe(7.5)
    expect(ratingAfterKey('ArrowRight', 7, 10)).toBe(6.5)
    expect(ratingAfterKey('ArrowUp', 7, 10)).toBe(7.5)
  })

  test('never leave 0 to 10', () => {
    expect(ratingAfterKey('ArrowRight', 10, 10)).toBe(10)
    expect(ratingAfterKey('ArrowLeft', 0, 5)).toBe(0)
  })

  test('that mean nothing here are left to the page', () => {
    for (const key of ['Tab', 'a', 'Enter', 'Escape']) expect(ratingAfterKey(key, 5, 10)).toBeNull()
  })
})

describe('a rating is told in words', () => {
  test('to be read', () => {
    expect(renderToStaticMarkup(<Rating value={7.5} />)).toContain('Rated 3.75 out of 5')
    expect(renderToStaticMarkup(<Rating value={0} />)).toContain('Not rated')
  })

  test('on the scale of ten', () => {
    const html = renderToStaticMarkup(
      <RatingScaleContext value={10}>
        <Rating value={7.5} />
        <RatingInput value={8} onChange={() => {}} />
      </RatingScaleContext>,
    )
    expect(html).toContain('Rated 7.5 out of 10')
    expect(html).toContain('aria-valuetext="8 out of 10"')
    expect(html).toMatch(/min="0" max="10" step="0.5"/)
  })

  test('to be set', () => {
    const html = renderToStaticMarkup(<RatingInput value={8} onChange={() => {}} />)
    expect(html).toContain('type="range"')
    expect(html).toContain('aria-valuetext="4 out of 5"')
    expect(html).toMatch(/min="0" max="10" step="1"/)
  })

  test('to be chosen without scripts, a finer one that was given before included', () => {
    const html = renderToStaticMarkup(<RatingSelect label="Rate Emma" value={7.5} />)
    expect(html).toContain('<option value="7.5" selected="">3.75 out of 5</option>')
    expect(html).toContain('<option value="7">3.5 out of 5</option>')
    expect(html).not.toContain('value="8.5"')
  })
})

test.each([
  [10, 120],
  [9.5, 114],
  [9, 108],
  [7.5, 90],
  // An average.
  [7.4, 84],
  [9.97, 114],
  [0.5, 6],
])('the stars of %s are no fuller than it: %s of 120', (value, width) => {
  expect(renderToStaticMarkup(<Rating value={value} />)).toContain(`<rect width="${width}"`)
})
