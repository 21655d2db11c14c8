import sharp from 'sharp'
import { expect, test } from 'vitest'
import { coverThemeFor } from '#shared/cover-theme.ts'
import { drawYear, yearPictureSizes, type YearPicture } from './year-picture.ts'

const book = (title: string) => ({ title, author: '', picture: null, pages: 300 })
const year: YearPicture = {
  title: '2026',
  sum: '2 books and 600 pages',
  username: 'reader',
  direction: 'ltr',
  books: [book('Emma'), book('Dracula')],
}

/** @returns how many pixels have exactly the colour of a book, and where most of them are */
async function cloth(picture: Uint8Array, title: string) {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const value = Number.parseInt(coverThemeFor(title).ground.slice(1), 16)
  let [count, sum] = [0, 0]
  for (let at = 0; at < data.length; at += info.channels) {
    if (data.readUIntBE(at, 3) !== value) continue
    count++
    sum += (at / info.channels) % info.width
  }
  return { count, middle: sum / count }
}

test.each(['wide', 'tall'] as const)('the %s picture has its size and its books', async (size) => {
  const picture = await drawYear(year, size)
  const { format, width, height } = await sharp(picture).metadata()
  expect({ format, width, height }).toEqual({ format: 'png', ...yearPictureSizes[size] })
  const [first, second] = [await cloth(picture, 'Emma'), await cloth(picture, 'Dracula')]
  for (const { count } of [first, second]) expect(count).toBeGreaterThan(10_000)
  expect(first.middle).toBeLessThan(second.middle)
  const mirrored = await drawYear({ ...year, direction: 'rtl' }, size)
  expect((await cloth(mirrored, 'Emma')).middle).toBeGreaterThan(width / 2)
})

test('shows the latest books of a year that has too many, and a year without any', async () => {
  const many = Array.from({ length: 300 }, (_, i) => ({ ...book(`Part ${i}`), pages: 900 }))
  const picture = await drawYear(
    { ...year, books: [book('Emma'), ...many, book('Dracula')] },
    'wide',
  )
  expect((await cloth(picture, 'Dracula')).count).toBeGreaterThan(500)
  expect((await drawYear({ ...year, books: [] }, 'tall')).length).toBeGreaterThan(1000)
})

test('shows a cover where a book has one, and its title where the cover is damaged', async () => {
  const red = { create: { width: 100, height: 150, channels: 3 as const, background: '#ff0000' } }
  const cover = await sharp(red).jpeg().toBuffer()
  const draw = (picture: Uint8Array) =>
    drawYear({ ...year, books: [{ ...book('Emma'), picture }] }, 'tall')
  expect((await cloth(await draw(cover), 'Emma')).count).toBe(0)
  expect((await cloth(await draw(new Uint8Array([1, 2, 3])), 'Emma')).count).toBeGreaterThan(10_000)
})

test('draws a full wall without handing all of its covers to sharp at once', async () => {
  const books = Array.from({ length: 80 }, (_, i) => book(`Part ${i}`))
  let isOver = false
  let most = 0
  const watch = () => {
    const { queue, process } = sharp.counters()
    most = Math.max(most, queue + process)
    if (!isOver) setImmediate(watch)
  }
  watch()
  await drawYear({ ...year, books }, 'tall')
  isOver = true
  expect(most).toBeGreaterThan(0)
  // A row of ten; tests of other files may draw meanwhile.
  expect(most).toBeLessThan(40)
})
