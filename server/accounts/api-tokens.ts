import { sql } from 'kysely'
import { ApiError, named, number, prepared } from '#records/index.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { LibraryHooks } from '#server/collections/stored.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { apiTokenForm } from '#shared/api-token-form.ts'
import { maxTokens } from '#shared/api-token.ts'

/** Hooks of API tokens; the record service itself makes and checks what they sign in with. */
export const apiTokenHooks: LibraryHooks<'api_tokens'> = {
  async prepare({ action, before, after }, tx) {
    if (!after) return
    const wrong: FieldProblems = {}
    const form = checkSchema(apiTokenForm, after, wrong)
    throwFieldErrors(action, wrong)
    Object.assign(after, form)
    if (before) return
    await lockReader(tx, after.user)
    const [owned] = named(await countOf(tx, { user: after.user }), { tokens: number })
    if (owned!.tokens >= maxTokens)
      throw new ApiError(400, `Failed to ${action} record.`, {
        name: fieldError('tooManyTokens', { max: maxTokens }),
      })
  },
}

const countOf = prepared<{ user: unknown }>(
  (value) => sql`SELECT COUNT(*) FROM api_tokens WHERE "user" = ${value('user')}`,
)
