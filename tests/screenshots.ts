import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Browser, type Page } from 'playwright-core'
import { openCatalogue } from '#catalogue/index.ts'
import { sampleFile } from '#server/demo/sample-file.ts'
import { gothicReads } from '#server/demo/demo-reads.ts'
import { findBooks } from '#server/demo/demo-years.ts'
import { chromiumSwitches, findChromium } from './chromium.ts'

/** Takes the pictures of the README, of the demo's library: `npm run screenshots`. */

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'octavo-screenshots-'))
const env = { ...process.env, PORT: '0', DATA_DIR: folder, SIGN_IN_CODE: 'off' }
const server = spawn(process.execPath, ['server/start.ts', '--demo'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')
let origin = ''
for await (const line of createInterface(server.stdout)) {
  origin = /^Octavo is ready: (.+)$/.exec(line)?.[1] ?? ''
  if (origin) break
}
if (!origin) throw new Error('The demo has not started.')
server.stdout.resume()

const found = await findChromium(tmpdir())
const browser = await chromium.launch({ ...found, args: chromiumSwitches })
try {
  const page = await signIn(browser, 'lamplight')
  await take(page, 'home', '/explore')
  await take(page, 'book', '/book/rebecca-9781844080380')
  await take(page, 'year', `/u/lamplight/${new Date().getFullYear() - 1}`)
  const newcomer = await signIn(browser, 'slow_reader')
  await newcomer.goto('/account/imports', { waitUntil: 'networkidle' })
  const catalogue = await openCatalogue({ folder, workers: 1 })
  const buffer = Buffer.from(sampleFile(await findBooks(catalogue, gothicReads)))
  await catalogue.close()
  const file = { name: 'goodreads_library_export.csv', mimeType: 'text/csv', buffer }
  await newcomer.getByLabel('Choose file').setInputFiles(file)
  await newcomer.getByRole('button', { name: /^Add \d+ books$/ }).waitFor()
  await picture(newcomer, 'import')
} finally {
  await browser.close()
  server.kill()
  await ended
  rmSync(folder, { recursive: true })
}

async function signIn(within: Browser, name: string): Promise<Page> {
  const page = await within.newPage({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill('turn the page')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/explore')
  return page
}

async function take(page: Page, name: string, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await picture(page, name)
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(root, `docs/screenshots/${name}.png`) })
}
