/**
 * What a reader on a phone feels: `npm run bench -- screens` drives a browser whose processor is
 * slowed four times through libraries of 30 and of 10,000 books, and writes
 * bench/last-run-screens.md. `npm run bench -- screens 10000 chip sheet` takes one library and the
 * measures with any of these words in their names, and just prints.
 */
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { chromiumSwitches, findChromium } from '#tests/chromium.ts'
import { isShort } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { fillScreens, reader } from './screens-data.ts'
import { screenMeasures, type Screens } from './screens-measures.ts'
import { observePage } from './screens-watch.ts'
import { machine, table } from './table.ts'

const slowdown = isShort ? 1 : 4

/** @param args numbers of books, and words in the names of measures; all without them */
export async function screens(args: readonly string[] = []): Promise<void> {
  const numbers = args.filter((arg) => /^\d+$/.test(arg)).map(Number)
  const words = args.filter((arg) => !/^\d+$/.test(arg))
  const sizes = numbers.length > 0 ? numbers : isShort ? [30] : [30, 10_000]
  const measures = screenMeasures.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  const { executablePath, env } = await findChromium(process.env['CHROMIUM_FOLDER'] ?? tmpdir())
  const browser = await chromium.launch({
    executablePath,
    args: chromiumSwitches,
    env: { ...process.env, ...env },
  })
  const columns: Record<string, string>[] = []
  try {
    for (const books of sizes) columns.push(await measured(browser, books, measures))
  } finally {
    await browser.close()
  }
  const rows = [
    ['', ...sizes.map((books) => `${books.toLocaleString('en-US')} books`), 'bar'],
    ...measures.map(({ name, bar }) => [
      name,
      ...columns.map((column) => column[name] ?? '–'),
      bar,
    ]),
  ]
  const report = `# Last run of \`npm run bench -- screens\`

${machine()}, Chromium ${browser.version()} as a phone of 390 by 844 pixels, its processor slowed ${slowdown} times; the server runs on the same machine.

${table(rows)}
`
  console.log(report)
  if (!isShort && args.length === 0)
    writeFileSync(join(import.meta.dirname, 'last-run-screens.md'), report)
}

async function measured(
  browser: Browser,
  books: number,
  measures: typeof screenMeasures,
): Promise<Record<string, string>> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'octavo-bench-'))
  await fillScreens(folder.path, books)
  const file = join(folder.path, 'octavo.db')
  const token = await signedIn(file, reader.id)
  const elsewhere = await signedIn(file, reader.id, undefined, 'elsewhere')
  await using server = await startProduct(folder.path)
  const { origin } = server
  const column: Record<string, string> = {}
  const context = await openPhone(browser, origin, token)
  for (const { name, take } of measures) {
    const page = await openPage(context)
    const call = async (path: string, body: object) => {
      const answer = await fetch(`${origin}/api/collections/${path}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json', Authorization: elsewhere },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return answer
    }
    const screen: Screens = { page, call, home: `/u/${reader.username}`, isShort }
    column[name] = await take(screen).catch((error: unknown) => {
      if (isShort) throw error
      return String(error).slice(0, 80)
    })
    console.error(`${books} books, ${name}: ${column[name]}`)
    await page.close()
  }
  await context.close()
  return column
}

async function openPhone(browser: Browser, origin: string, token: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-US',
  })
  context.setDefaultTimeout(60_000)
  const record = { id: reader.id, collectionId: '_pb_users_auth_', collectionName: 'users' }
  const value = encodeURIComponent(JSON.stringify({ token, record }))
  await context.addCookies([{ name: 'pb_auth', value, url: origin }])
  return context
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await observePage(page)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}
