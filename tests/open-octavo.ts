import { afterAll } from 'vitest'
import { closeBrowser } from './browser.ts'
import { startOctavo } from './octavo.ts'
import { openPostOffice } from './smtp.ts'

/**
 * The product, a mail server for it and a browser, for all tests of the file that awaits this at its
 * top; they end with the file.
 *
 * @param settings on top of those of {@link startOctavo}
 */
export async function openOctavo(settings: Record<string, string> = {}) {
  afterAll(closeBrowser)
  const post = await openPostOffice()
  afterAll(() => post.close())
  const octavo = await startOctavo({ SMTP_URL: post.url, ...settings })
  afterAll(async () => void (await octavo.stop()))
  return { octavo, post }
}
