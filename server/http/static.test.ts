import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { staticFiles } from './static.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-static-'))
mkdirSync(join(folder, 'assets'))
const script = 'export const shelf = 1\n'.repeat(100)
writeFileSync(join(folder, 'assets/shelf-Ab12.js'), script)
writeFileSync(join(folder, 'assets/barcode-worker-Cd34.js'), script)
writeFileSync(join(folder, 'assets/zxing_reader-Ef56.wasm'), Buffer.alloc(2000))
writeFileSync(join(folder, 'service-worker.js'), script)
writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
writeFileSync(join(folder, 'font.woff2'), Buffer.alloc(2000))
afterAll(() => rmSync(folder, { recursive: true }))

const app = new Hono()
app.use(staticFiles(folder))
app.get('*', (c) => c.text('a page'))

const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('%s', async (encoding, decompress) => {
  const response = await get('/assets/shelf-Ab12.js', { 'Accept-Encoding': encoding })
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(response.headers.get('vary')).toBe('Accept-Encoding')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.length).toBe(Number(response.headers.get('content-length')))
  expect(bytes.length).toBeLessThan(script.length / 4)
  expect(decompress(bytes).toString()).toBe(script)
})

test('serves files uncompressed to clients that want or accept nothing else', async () => {
  for (const accepted of ['', 'identity', 'br;q=0, gzip;q=0.0']) {
    const response = await get('/assets/shelf-Ab12.js', { 'Accept-Encoding': accepted })
    expect(response.headers.has('content-encoding')).toBe(false)
    expect(await response.text()).toBe(script)
  }
})

test('brotli before gzip', async () => {
  const response = await get('/assets/shelf-Ab12.js', { 'Accept-Encoding': 'gzip, deflate, br' })
  expect(response.headers.get('content-encoding')).toBe('br')
})

test('hashed names are kept for ever, others are asked about', async () => {
  const hashed = await get('/assets/shelf-Ab12.js')
  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const icon = await get('/favicon.svg')
  expect(icon.headers.get('cache-control')).toBe('public, no-cache')
  const again = await get('/favicon.svg', { 'If-None-Match': icon.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
  expect((await get('/favicon.svg', { 'If-None-Match': '"other"' })).status).toBe(200)
})

test('does not compress compressed files again', async () => {
  const response = await get('/font.woff2', { 'Accept-Encoding': 'br' })
  expect(response.headers.get('content-type')).toBe('font/woff2')
  expect(response.headers.has('content-encoding')).toBe(false)
})

test('HEAD has the headers only', async () => {
  const response = await app.request('/favicon.svg', { method: 'HEAD' })
  expect(response.headers.get('content-length')).toBe('6')
  expect(await response.text()).toBe('')
})

test('passes other paths and methods on', async () => {
  for (const path of ['/', '/assets/', '/assets/..%2f..%2fetc/passwd', '/assets/../secret'])
    expect(await (await get(path)).text(), path).toBe('a page')
  expect((await app.request('/favicon.svg', { method: 'POST' })).status).toBe(404)
})

test('a missing folder has no files', async () => {
  const empty = new Hono().use(staticFiles(join(folder, 'none'))).get('*', (c) => c.text('a page'))
  expect(await (await empty.request('/favicon.svg')).text()).toBe('a page')
})

test('what keeps pages for the time without a connection may do nothing but fetch', async () => {
  const worker = await get('/service-worker.js')
  expect(worker.headers.get('content-security-policy')).toBe(
    "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  )
  expect(worker.headers.get('cache-control')).toBe('public, no-cache')
})

test('the reader of barcodes may compile WebAssembly, and no other script', async () => {
  const worker = await get('/assets/barcode-worker-Cd34.js')
  expect(worker.headers.get('content-security-policy')).toContain("'wasm-unsafe-eval'")
  const other = (await get('/assets/shelf-Ab12.js')).headers.get('content-security-policy')
  expect(other).toMatch(/^default-src 'none'; [^]*frame-ancestors 'none'$/)
  expect(other).not.toContain('script-src')
  const wasm = await get('/assets/zxing_reader-Ef56.wasm')
  expect(wasm.headers.get('content-type')).toBe('application/wasm')
})
