import { afterAll, expect } from 'vitest'
import { closeBrowser } from './browser.ts'
import { startOctavo } from './octavo.ts'
import { password } from './reader.ts'
import { openMailServer } from './smtp.ts'

/**
 * The product, a mail server for it and a browser, for all tests of the file that awaits this at its
 * top; they end with the file. With what happens beside the screens.
 *
 * @param settings on top of those of {@link startOctavo}
 * @param program as {@link startOctavo} has it
 */
export async function openOctavo(settings: Record<string, string> = {}, program?: string) {
  afterAll(closeBrowser)
  const post = await openMailServer()
  afterAll(() => post.close())
  const octavo = await startOctavo({ SMTP_URL: post.url, ...settings }, [], program)
  afterAll(async () => void (await octavo.stop()))

  /** An account that has never signed in. */
  async function newAccount(email: string): Promise<void> {
    const answer = await fetch(`${octavo.url}/api/collections/users/records`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password, passwordConfirm: password }),
    })
    expect(answer.status).toBe(200)
  }

  /** The code of the next mail that has one: an owner is also told of guesses and of new devices. */
  async function mailedCode(email: string): Promise<string> {
    const { text = '' } = await post.nextMail(email)
    return /^\D*\b(\d{6})\b/.exec(text)?.[1] ?? mailedCode(email)
  }

  return { octavo, post, newAccount, mailedCode }
}
