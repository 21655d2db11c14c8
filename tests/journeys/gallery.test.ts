import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createServer } from 'vite'
import { openVisitor } from '#tests/browser.ts'

const server = await createServer({
  configFile: join(import.meta.dirname, '../../vite.gallery.config.ts'),
  logLevel: 'error',
  server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
})
await server.listen()
afterAll(() => server.close())

const looks = [
  { theme: 'light', dir: 'ltr' },
  { theme: 'dark', dir: 'rtl' },
]

// After a change on purpose: npm test -- tests/journeys/gallery.test.ts -u
test.each(looks)('components look as they did ($theme, $dir)', async ({ theme, dir }) => {
  const { page } = await openVisitor(server.resolvedUrls!.local[0]!)
  await page.goto(`/?theme=${theme}&dir=${dir}`)
  await page.getByRole('heading', { name: 'Sheet' }).waitFor()
  await page.waitForLoadState('networkidle')
  const parts = await page.locator('[data-example]').all()
  expect(parts.length).toBeGreaterThan(30)
  const seen: string[] = []
  for (const part of parts) {
    const name = await part.getAttribute('data-example')
    const open = part.getByRole('button', { name: 'Open', exact: true })
    if (!name?.startsWith('Sheet')) seen.push(`# ${name}`, await part.evaluate(describe))
    else {
      await open.click()
      const sheet = page.getByRole('dialog')
      await sheet.evaluate((node) =>
        Promise.all(node.getAnimations().map(({ finished }) => finished)),
      )
      seen.push(`# ${name}`, await sheet.evaluate(describe))
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
    }
  }
  await expect(`${seen.join('\n')}\n`).toMatchFileSnapshot(`gallery.${theme}.${dir}.txt`)
})

/**
 * Runs in the page.
 *
 * @returns a line for each element that is seen: its box from the corner of the part, its colours and
 *   its words
 */
function describe(part: Element): string {
  const corner = part.getBoundingClientRect()
  const lines: string[] = []
  for (const element of [part, ...part.querySelectorAll('*')]) {
    const { left, top, width, height } = element.getBoundingClientRect()
    const style = getComputedStyle(element)
    const words = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent?.trim())
      .join(' ')
      .trim()
    const ground = style.backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : style.backgroundColor
    const edge = style.borderTopWidth === '0px' ? '' : style.borderTopColor
    const isPicture = element.matches('img, svg')
    if (!width || !height || !(words || ground || edge || isPicture)) continue
    // The letters of other scripts come from the machine's own fonts.
    const isOwnFont = /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(words)
    const box = [left - corner.left, top - corner.top, width, height].map(Math.round)
    lines.push(
      [
        element.localName,
        isOwnFont ? box.join(' ') : '',
        words && `“${words}” ${style.color}`,
        ground && `on ${ground}`,
        edge && `edge ${edge}`,
      ]
        .filter(Boolean)
        .join('; '),
    )
  }
  return lines.join('\n')
}
