import type { LibraryHooks } from '#server/collections/stored.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { roomFor } from '#server/library/room.ts'
import { sentTokenForm } from '#shared/api-token-form.ts'
import { maxTokens } from '#shared/api-token.ts'

/** Hooks of API tokens; the record service itself makes and checks what they sign in with. */
export const apiTokenHooks: LibraryHooks<'api_tokens'> = {
  async prepare({ action, before, after }, tx) {
    if (!after) return
    const wrong: FieldProblems = {}
    const form = checkSchema(sentTokenForm, after, wrong)
    throwFieldErrors(action, wrong)
    Object.assign(after, form)
    if (before) return
    await requireRoom(tx, after.user)
  },
}

const requireRoom = roomFor('api_tokens', { max: maxTokens, field: 'name', rule: 'tooManyTokens' })
