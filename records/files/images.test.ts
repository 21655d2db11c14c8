import sharp, { type FormatEnum } from 'sharp'
import { expect, test } from 'vitest'
import { detectContentType } from './content-type.ts'
import { reencodePicture, isPicture, makeThumb, parseThumb, PictureError } from './images.ts'

const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
const create = { width: 40, height: 30, channels: 3, background: '#888', noise } as const
const draw = (format: keyof FormatEnum) => sharp({ create }).toFormat(format).toBuffer()

/** Always the same numbers, so that failures can be reproduced. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
  'a %s with corrupt bytes is re-encoded or refused, and nothing else happens',
  async (format) => {
    const whole = await draw(format)
    const next = numbers(format.length)
    const pick = (below: number) => Math.floor(next.next().value * below)
    const outcomes: unknown[] = []
    for (let round = 0; round < 120; round++) {
      const bytes = Buffer.from(whole.subarray(0, round % 3 ? whole.length : pick(whole.length)))
      for (let i = pick(12); i >= 0 && bytes.length; i--) bytes[pick(bytes.length)] = pick(256)
      const { mime } = await detectContentType(bytes)
      if (!isPicture(mime)) continue
      outcomes.push(
        await reencodePicture(bytes, mime).then(
          async (clean) => (await sharp(clean).metadata()).format,
          (error: unknown) => error,
        ),
      )
    }
    const odd = outcomes.filter((one) => typeof one !== 'string' && !(one instanceof PictureError))
    expect(odd).toEqual([])
    expect(outcomes.filter((one) => one instanceof PictureError).length).toBeGreaterThan(5)
  },
)

test('a picture of another type than it claims is refused, and so are vector graphics', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  for (const [bytes, mime] of [
    [await draw('png'), 'image/jpeg'],
    [await draw('webp'), 'image/png'],
    [svg, 'image/png'],
    [svg, 'image/svg+xml'],
  ] as const)
    await expect(reencodePicture(bytes, mime)).rejects.toThrow(PictureError)
})

test('a thumb shows an animation’s first frame', async () => {
  const frames = [await draw('png'), await draw('png'), await draw('png')]
  const moving = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  expect(await sharp(moving, { animated: true }).metadata()).toMatchObject({ pages: 3 })
  const thumb = await makeThumb(moving, 'image/webp', parseThumb('20x10')!)
  const { format, width, height, pages } = await sharp(thumb, { animated: true }).metadata()
  expect({ format, width, height, pages: pages ?? 1 }).toEqual({
    format: 'webp',
    width: 20,
    height: 10,
    pages: 1,
  })
})

test('a picture with too many pixels is refused by its header', async () => {
  const plain = { width: 8000, height: 5001, channels: 3, background: '#888' } as const
  const bytes = await sharp({ create: plain }).png().toBuffer()
  await expect(reencodePicture(bytes, 'image/png')).rejects.toThrow(
    'The picture has more than 40 million pixels.',
  )
})

test.each([
  ['100x50', { width: 100, height: 50, fit: 'cover', position: 'centre' }],
  ['100x50t', { width: 100, height: 50, fit: 'cover', position: 'top' }],
  ['100x50b', { width: 100, height: 50, fit: 'cover', position: 'bottom' }],
  ['100x50f', { width: 100, height: 50, fit: 'inside', position: 'centre' }],
  ['0x50', { width: 0, height: 50, fit: 'cover', position: 'centre' }],
  ['100x0', { width: 100, height: 0, fit: 'cover', position: 'centre' }],
  ['0x0', null],
  ['100', null],
  ['100x50x', null],
  ['-1x5', null],
  ['99999x1', null],
  ['', null],
])('%j means %j', (text, form) => {
  expect(parseThumb(text)).toEqual(form)
})

test('an animation that was cut off is refused, wherever it ends', async () => {
  const frames = await Promise.all([1, 2, 3, 4].map(() => draw('png')))
  for (const format of ['gif', 'webp'] as const) {
    const moving = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    const mime = `image/${format}`
    for (let bytes = moving.length - 1; bytes > 20; bytes -= 61) {
      const cut = reencodePicture(moving.subarray(0, bytes), mime)
      await expect(cut, `${format} of ${bytes} bytes`).rejects.toThrow(/^The picture is damaged/)
    }
    // What stands after its end is none of the picture.
    const padded = await reencodePicture(Buffer.concat([moving, Buffer.alloc(9)]), mime)
    expect((await sharp(padded, { animated: true }).metadata()).pages).toBe(4)
  }
})

test('a picture that is too large says by what', async () => {
  const frames = Array.from({ length: 101 }, () => draw('png'))
  const moving = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer()
  await expect(reencodePicture(moving, 'image/gif')).rejects.toMatchObject({
    message: 'The picture has more than 100 frames.',
    params: { rule: 'pictureFrames', max: 100 },
  })
})
