import { expect, test } from 'vitest'
import { isInline, servedType, detectContentType } from './content-type.ts'

const mimeOf = async (content: string | Uint8Array) =>
  (
    await detectContentType(
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    )
  ).mime

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
  ['\u{FEFF}  <?xml version="1.0"?>\n<!-- <html> --><svg>', 'image/svg+xml'],
  ['<!DOCTYPE svg [<!ENTITY a "]b">]><svg/>', 'image/svg+xml'],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg>', 'image/svg+xml'],
  ['<svgx/>', 'text/plain; charset=utf-8'],
  ['<html><svg/></html>', 'text/plain; charset=utf-8'],
  ['<!-- never closed <svg>', 'text/plain; charset=utf-8'],
  ['<!DOCTYPE svg [ never closed <svg>', 'text/plain; charset=utf-8'],
  ['<?xml version="1.0"?><rss/>', 'text/plain; charset=utf-8'],
  ['<!doctype html><script>1</script>', 'text/plain; charset=utf-8'],
  ['', 'text/plain; charset=utf-8'],
  ['a\0b', 'application/octet-stream'],
  [new Uint8Array([0xff, 0xfe, 0x00, 0x80]), 'application/octet-stream'],
  ['%PDF-1.7\n', 'application/pdf'],
  [`<!--${' '.repeat(30_000)}--><svg>${'é'.repeat(60_000)}</svg>`, 'image/svg+xml'],
])('%j is %s, in memory or in a file', async (content, mime) => {
  expect(await mimeOf(content)).toBe(mime)
  expect((await detectContentType(new Blob([content]))).mime).toBe(mime)
})

test.each(['<!a>', '<!a[>', '<!a[]>', '<?a?>', '<!---->', '<! ', '<!a [ ] ', ' ', '[', ']'])(
  'R41: is quick with five megabytes of %j',
  async (piece) => {
    const bytes = Buffer.alloc(5_242_880, piece)
    let least = Infinity
    for (let run = 0; run < 5; run++) {
      const start = performance.now()
      await detectContentType(bytes)
      least = Math.min(least, performance.now() - start)
    }
    expect(least).toBeLessThan(100)
  },
)

test('only types that can’t run anything are displayed directly', () => {
  for (const type of ['image/png', 'image/gif', 'application/pdf', 'video/mp4', 'audio/mpeg'])
    expect(isInline(type), type).toBe(true)
  for (const type of ['image/svg+xml', 'text/html', 'text/plain; charset=utf-8', 'text/javascript'])
    expect(isInline(type), type).toBe(false)
})

test('a name decides the type of text, and of nothing else', () => {
  expect(servedType('x_1.CSS', 'text/plain; charset=utf-8')).toBe('text/css; charset=utf-8')
  expect(servedType('x_1.html', 'text/plain; charset=utf-8')).toBe('text/plain; charset=utf-8')
  expect(servedType('x_1.html', 'image/png')).toBe('image/png')
  expect(servedType('x', 'application/pdf')).toBe('application/pdf')
})
