import { sql } from 'kysely'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#records/index.ts'
import { chosenLanguage } from '#server/http/chosen-language.ts'
import { query } from '#server/storage/query.ts'
import { preferredLanguage, type Language } from '#shared/language.ts'
import { mailLanguages } from './translations.ts'

const asking = new AsyncLocalStorage<Request>()

/** Handles a request so that mails it causes can use its browser's language. */
export function withRequestLanguage<T>(request: Request, answer: () => T): T {
  return asking.run(request, answer)
}

const isKnown = (tag: unknown): tag is Language => mailLanguages.some((one) => one === tag)

/**
 * The language of a reader's mail: from their settings, otherwise from the current browser.
 *
 * @param isAsked whether the reader caused the mail; a stranger's browser says nothing about them
 */
export async function readerLanguage(
  database: Database,
  user: string,
  isAsked: boolean,
): Promise<Language> {
  const [row] = await query(database, sql`SELECT language FROM settings WHERE "user" = ${user}`)
  const saved: unknown = row?.[0]
  if (isKnown(saved)) return saved
  const request = isAsked ? asking.getStore() : undefined
  const chosen = request && chosenLanguage(request)
  if (isKnown(chosen)) return chosen
  return preferredLanguage(request?.headers.get('accept-language') ?? '', mailLanguages)
}
