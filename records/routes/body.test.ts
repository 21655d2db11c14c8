import { expect, it } from 'vitest'
import type { ApiError } from '../errors.ts'
import { collection } from '../schema/collection.ts'
import { errors } from '../schema/validate.ts'
import { bodyLimit, readBody } from './body.ts'

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

it('reads multipart with payloads over parts, and uploads apart', async () => {
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
])('takes the file name %s for %s', async (sent, name) => {
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

it('says which fields hold what no database can keep, and names no other', async () => {
  const text = JSON.stringify({ a: 'b\0c', list: ['\0'], plain: 'fine', none: null, count: 1 })
  await expect(readBody(post(text, json))).rejects.toMatchObject({
    data: { a: errors.format, list: errors.json },
  })
  const refusal = await readBody(post(text, json)).catch((error: unknown) => error as ApiError)
  expect(Object.keys((refusal as ApiError).data)).toEqual(['a', 'list'])
})

it('refuses bytes that are no text', async () => {
  const request = post(new Uint8Array([0x7b, 0xff, 0x7d]), json)
  await expect(readBody(request)).rejects.toMatchObject({ status: 400 })
})

it('calls what breaks off in the middle no failure of the server', async () => {
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

it('stops reading beyond the limit, whatever length was told', async () => {
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
])('takes a thousand parts and no more, as %s', async (type, boundary) => {
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

it('refuses a boundary that is longer than any', async () => {
  const boundary = 'b'.repeat(71)
  const request = post('x', `multipart/form-data; boundary=${boundary}`)
  await expect(readBody(request)).rejects.toMatchObject({ status: 400 })
})

it('makes room for what a collection’s fields may hold', () => {
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
