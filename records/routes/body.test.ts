import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ApiError } from '../errors.ts'
import { collection } from '../schema/collection.ts'
import { errors } from '../schema/validate.ts'
import { bodyLimit, readBody } from './body.ts'
import { readLargeMultipart, readMultipart } from './multipart.ts'

function post(body: NonNullable<RequestInit['body']>, type?: string): Request {
  return new Request('http://app.test', {
    method: 'POST',
    body,
    duplex: 'half',
    ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
  } as RequestInit)
}

const json = 'application/json'
const form = 'multipart/form-data; boundary=b'
const part = (head: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`

it.each([
  ['application/json', '{"a":1}', { a: 1 }],
  ['Application/JSON; charset=utf-8', '{"a":"ä"}', { a: 'ä' }],
  ['application/json', '', {}],
  [
    'application/x-www-form-urlencoded',
    'a=1&b=0001&c=1e3&d=0.0&e=-2.5&f=true&g=&h=x&h=2',
    { a: 1, b: '0001', c: '1e3', d: '0.0', e: -2.5, f: true, g: '', h: ['x', 2] },
  ],
])('reads %s %s', async (type, text, expected) => {
  expect((await readBody(post(text, type))).data).toEqual(expected)
})

it('reads multipart forms, with payloads overriding parts, and uploads separately', async () => {
  const form = new FormData()
  form.set('a', '1')
  form.set('b', '9780141439471')
  form.append('@jsonPayload', '{"a":"kept","list":[1]}')
  form.append('@jsonPayload', '{"none":null}')
  form.append('file', new File(['x'], 'x.txt'))
  const { data, files } = await readBody(post(form))
  expect(data).toEqual({ a: 'kept', b: 9_780_141_439_471, list: [1], none: null })
  expect([...files].map(([name, list]) => [name, list.map((file) => file.name)])).toEqual([
    ['file', ['x.txt']],
  ])
})

it.each([
  ['a%22b.png', 'a"b.png'],
  ['a\\"b.png', 'a"b.png'],
  ['\\"a\\".png', '"a".png'],
  ['ü\\"; b.png', 'ü"; b.png'],
  ['C:\\a.png', 'C:\\a.png'],
  ['a\\', 'a\\'],
])('reads the file name %s as %s', async (sent, name) => {
  const content = 'x\r\n--\r\nfilename="a\\"b"\r\n\r\nx'
  const part = (head: string, text: string) =>
    `--bound\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const body = `${part(`name="f"; filename="${sent}"`, content)}${part(`filename="${sent}"; name="f"`, '')}${part('name="q\\"q"', 'x')}--bound--\r\n`
  const { data, files } = await readBody(post(body, 'multipart/form-data; boundary=bound'))
  expect(files.get('f')?.map((file) => file.name)).toEqual([name, name])
  expect(await files.get('f')?.[0]?.text()).toBe(content)
  expect(data).toEqual({ 'q"q': 'x' })
})

it.each([
  ['{', json],
  ['[]', json],
  ['nul', json],
  ['{"a":"\\u0000"}', json],
  ['{"a\\u0000":1}', json],
  ['{"__proto__":{"x":1}}', json],
  ['{"a":[{"\\u005f_proto__":1}]}', json],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, json],
  ['__proto__=1', 'application/x-www-form-urlencoded'],
  ['x', 'multipart/form-data; boundary=b'],
  ['x', 'multipart/form-data'],
  ['x', 'text/plain'],
  ['x', ''],
])('refuses %s as %s', async (text, type) => {
  await expect(readBody(post(text, type))).rejects.toMatchObject({ status: 400 })
  expect(({} as { x?: unknown }).x).toBeUndefined()
})

it('reports the fields that databases can’t store, and no others', async () => {
  const text = JSON.stringify({ a: 'b\0c', list: ['\0'], plain: 'fine', none: null, count: 1 })
  await expect(readBody(post(text, json))).rejects.toMatchObject({
    data: { a: errors.format, list: errors.json },
  })
  const refusal = await readBody(post(text, json)).catch((error: unknown) => error as ApiError)
  expect(Object.keys((refusal as ApiError).data)).toEqual(['a', 'list'])
})

it('refuses invalid UTF-8', async () => {
  const request = post(new Uint8Array([0x7b, 0xff, 0x7d]), json)
  await expect(readBody(request)).rejects.toMatchObject({ status: 400 })
})

it('doesn’t report a body that breaks off as a failure of the server', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array([0x7b]))
      controller.error(new Error('aborted'))
    },
  })
  const request = post(broken, json)
  await expect(readBody(request)).rejects.toMatchObject({
    status: 400,
    cause: new Error('aborted'),
  })
})

it('stops reading beyond the limit, whatever length was declared', async () => {
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++
      controller.enqueue(new Uint8Array(1000))
    },
  })
  const request = post(endless, json)
  await expect(readBody(request, { all: 5000, text: 5000 })).rejects.toMatchObject({ status: 413 })
  expect(pulled).toBeLessThan(10)
})

it.each([
  ['multipart/form-data; boundary=b', 'b'],
  ['Multipart/Form-Data; x="; boundary=a"; BOUNDARY="b"; boundary=c', 'b'],
])('accepts a thousand parts and no more, as %s', async (type, boundary) => {
  const parts = (count: number) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`.repeat(count)
  const send = (count: number) =>
    readBody(post(`${parts(count)}--${boundary}--\r\n`, type), { all: 5e6, text: 5e6 })
  expect((await send(1000)).data).toEqual({ a: Array.from({ length: 1000 }, () => 1) })
  for (const count of [1001, 40_000])
    await expect(send(count)).rejects.toMatchObject({ status: 413 })
})

it.each([
  ['JSON of too many values', json, `{"a":[${'[],'.repeat(21_000)}0]}`],
  ['more text than there may be', json, `{"a":"${'x'.repeat(2000)}"}`],
  ['a form of too many parts', 'application/x-www-form-urlencoded', 'a&'.repeat(1001)],
  ['a payload of too many values', form, part('name="@jsonPayload"', `[${'0,'.repeat(21_000)}0]`)],
  ['fields that are more text together', form, part('name="a"', 'x'.repeat(1500)).repeat(2)],
  ['long headers of one part', form, part(`name="a"${'; b=c'.repeat(2000)}`, 'x')],
  ['long headers of all parts', form, part(`name="${'a'.repeat(4000)}"`, 'x').repeat(40)],
  ['headers without an end', form, `--b\r\n--b\r\n${'x'.repeat(10_000)}`],
])('R41: refuses %s before it is parsed', async (what, type, body) => {
  const text = what === 'more text than there may be' ? 1000 : 200_000
  const limit = { all: 1e6, text: what.startsWith('fields') ? 2000 : text }
  await expect(readBody(post(`${body}--b--\r\n`, type), limit)).rejects.toMatchObject({
    status: 413,
  })
})

it('refuses a boundary that is too long', async () => {
  const boundary = 'b'.repeat(71)
  const request = post('x', `multipart/form-data; boundary=${boundary}`)
  await expect(readBody(request)).rejects.toMatchObject({ status: 400 })
})

it('allows for the sizes of a collection’s fields', () => {
  const rules = { list: null, view: null, create: null, update: null, delete: null }
  const one = collection({
    name: 'one',
    fields: [
      { name: 'j', type: 'json', maxSize: 10 },
      { name: 'f', type: 'file', maxSize: 100, maxSelect: 3 },
    ],
    rules,
  })
  expect(bodyLimit(one)).toEqual({ all: 1_048_576 + 10 + 300, text: 1_048_576 + 10 })
})

describe('a form that is too large for memory', () => {
  const megabyte = 1_048_576
  const limitIn = (spoolFolder: string) => ({ all: 20 * megabyte, text: 100, spoolFolder })
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-body-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return folder
  }
  const content = Buffer.alloc(9 * megabyte, 'line\r\n--\r\n')
  const large = () => {
    const sent = new FormData()
    sent.set('a', '1')
    sent.set('file', new File([content], 'x "y".csv', { type: 'text/csv' }))
    sent.set('b', 'true')
    return sent
  }

  it('is read from a file, which is deleted on release', async () => {
    const folder = newFolder()
    const body = await readBody(post(large()), limitIn(folder))
    expect(readdirSync(folder)).toHaveLength(1)
    expect(body.data).toEqual({ a: 1, b: true })
    const [file] = body.files.get('file')!
    expect(file).toMatchObject({ name: 'x "y".csv', type: 'text/csv', size: content.length })
    expect(Buffer.compare(Buffer.from(await file!.arrayBuffer()), content)).toBe(0)
    await body.release()
    expect(readdirSync(folder)).toEqual([])
  })

  const brokenOff = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (controller.desiredSize === null) return
        controller.enqueue(content)
        controller.error(new Error('aborted'))
      },
    })
  const texts = large()
  texts.set('text', 'x'.repeat(5000))
  it.each([
    [400, 'breaks off', () => post(brokenOff(), form)],
    [400, 'has no boundary', () => post(content, form)],
    [413, 'is larger than allowed', () => post(Buffer.alloc(21 * megabyte), form)],
    [413, 'has too much text', () => post(texts)],
    [413, 'has too many parts', () => post(`${part('name="a"', '').repeat(300_000)}--b--`, form)],
    [
      413,
      'is encoded',
      () =>
        post(
          `${part('name="f"; filename="f"\r\nContent-Transfer-Encoding: base64', 'eA=='.repeat(3e6))}--b--`,
          form,
        ),
    ],
  ])('is refused with %d and leaves nothing if it %s', async (status, _, request) => {
    const folder = newFolder()
    await expect(readBody(request(), limitIn(folder))).rejects.toMatchObject({ status })
    expect(readdirSync(folder)).toEqual([])
  })

  it('is parsed like one in memory', async () => {
    const pieces = fc.constantFrom('--', '\r\n', '\r\n--', 'x', 'é', '\uFEFF', '--\r\n', '\r\n\r\n')
    const text = fc
      .tuple(fc.array(pieces, { maxLength: 6 }), fc.constantFrom(0, 1000, 5000, 20_000))
      .map(([some, more]) => `${some.join('')}${'ab\r\n'.repeat(more / 4)}${some.join('')}`)
    const head = fc.constantFrom(
      'name="a"',
      'name="b\\"c"',
      'name="f"; filename="é.csv"',
      'name="f"; filename="\\"g\\".csv"\r\nContent-Type: text/csv',
      'name="f"; filename=""',
      'filename="nameless"',
    )
    const boundary = 'ZZ'
    const parts = fc.array(
      fc.oneof(
        { weight: 20, arbitrary: fc.record({ head, text }) },
        { weight: 1, arbitrary: fc.constant({ head: 'name="a"', text: `--${boundary}` }) },
      ),
      { maxLength: 6 },
    )
    const ends = fc.constantFrom(`--${boundary}--\r\n`, `--${boundary}--`, `--${boundary}`, '')
    const told = async (read: Promise<readonly (readonly [string, string | File])[]>) => {
      try {
        return await Promise.all(
          (await read).map(async ([name, value]) =>
            typeof value === 'string'
              ? [name, value]
              : [name, value.name, value.type, await value.text()],
          ),
        )
      } catch (error) {
        return (error as ApiError).status
      }
    }
    await fc.assert(
      fc.asyncProperty(text, parts, ends, text, async (before, all, end, after) => {
        const sent = Buffer.from(
          `${before}\r\n${all
            .map(
              (one) =>
                `--${boundary}\r\nContent-Disposition: form-data; ${one.head}\r\n\r\n${one.text}\r\n`,
            )
            .join('')}${end}${after}`,
        )
        const type = `multipart/form-data; boundary=${boundary}`
        const inFile = await told(readLargeMultipart(new Blob([sent]), type, 1e6))
        expect(inFile).toEqual(await told(readMultipart(new Uint8Array(sent), type)))
      }),
      { numRuns: 300 },
    )
  })
})
