import type { BrowserContext } from 'playwright-core'
import { openVisitor } from './browser.ts'
import type { Octavo } from './octavo.ts'
import type { MailServer } from './smtp.ts'

interface Answer {
  id: string
  [field: string]: unknown
}

export const password = 'a quiet afternoon'

/** A reader who is signed in, without the screens of it, and what they can write past the screens. */
export type Reader = Awaited<ReturnType<typeof openReader>>

/**
 * Makes an account under the name and signs it in.
 *
 * @param options as {@link openVisitor} has them
 */
export async function openReader(
  { octavo, post }: { octavo: Octavo; post: MailServer },
  username: string,
  options: Parameters<typeof openVisitor>[1] = {},
) {
  const visitor = await openVisitor(octavo.url, options)
  const { context } = visitor
  const call = caller(context, octavo.url)
  const email = `${username}@example.org`
  await call('POST', 'users/records', { email, password, passwordConfirm: password })
  const identity = { identity: email, password }
  const { mfaId } = await call('POST', 'users/auth-with-password', identity)
  const { otpId } = await call('POST', 'users/request-otp', { email, mfaId })
  const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0]
  const { record } = await call('POST', 'users/auth-with-otp', { otpId, mfaId, password: code })
  const { id } = record as { id: string }
  await call('PATCH', `users/records/${id}`, { username })

  return {
    ...visitor,
    id,
    email,
    call,
    home: `/u/${username}`,
    shelve: async (name: string, visibility = 'public') =>
      (await call('POST', 'bookshelves/records', { name, visibility })).id,
    add: async (shelf: string, title: string, fields: object = {}) =>
      (await call('POST', 'user_books/records', { status: 'reading', title, shelf, ...fields })).id,
    /** All their books, newest first. */
    books: async () => {
      const mine = `filter=${encodeURIComponent(`user = "${id}"`)}`
      const path = `user_books/records?perPage=100&sort=-created&${mine}`
      return (await call('GET', path))['items'] as Answer[]
    },
  }
}

/** Calls the records as the reader whose cookies these are. */
function caller(context: BrowserContext, origin: string) {
  return async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    data?: object,
  ): Promise<Answer> => {
    const answer = await context.request.fetch(`${origin}/api/collections/${path}`, {
      method,
      headers: { 'X-Session': 'cookie', Origin: origin },
      ...(data ? { data } : {}),
    })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (answer.status() === 204 ? {} : await answer.json()) as Answer
  }
}
