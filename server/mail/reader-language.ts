import { sql } from 'kysely'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#records/index.ts'
import { chosenLanguage } from '#server/http/chosen-language.ts'
import { query } from '#server/query.ts'
import { preferredLanguage, type Language } from '#shared/language.ts'
import { mailLanguages } from './translations.ts'

const asking = new AsyncLocalStorage<Request>()

/** Answers a request so that a mail it causes can be in the language of its browser. */
export function withRequestLanguage<T>(request: Request, answer: () => T): T {
  return asking.run(request, answer)
}

const isKnown = (tag: unknown): tag is Language => mailLanguages.some((one) => one === tag)

/**
 * Finds the language for a reader's mail: that of their settings, else that of the browser they are
 * at.
 *
 * @param isAsked whether the reader asked for the mail; a stranger's browser says nothing of them
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
