import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ApiError, type Viewer } from '#records/index.ts'
import { accountOf, type LibraryRecords } from '#server/collections/stored.ts'
import { notFound } from '#server/http/errors.ts'
import type { Config } from '#server/settings/config.ts'
import { confirmedMinutes } from '#shared/admin.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

export interface AdminEnv {
  Variables: { administrator: Viewer }
}

/**
 * Middleware that lets only administrators in, with a session. For everybody else, also for an
 * administrator's API token, there is nothing here; the body isn't read. Sets `administrator`.
 */
export function administratorsOnly(
  records: Pick<LibraryRecords, 'authenticate'>,
): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const viewer = await records.authenticate(c.req.raw, 'session').catch(nobodyIfForbidden)
    if (!viewer || !accountOf(viewer).isAdmin) return notFound(c)
    c.set('administrator', viewer)
    return next()
  }
}

/** A refusal of an API token, or of another site's page, would tell that there is something. */
function nobodyIfForbidden(error: unknown): null {
  if (error instanceof ApiError && error.status === 403) return null
  throw error
}

/** @returns until when a session can act after a confirmation; null if it can't any more */
export function confirmedUntil(confirmed: Date | null, now: Date): Date | null {
  if (!confirmed) return null
  const until = new Date(confirmed.getTime() + confirmedMinutes * 60_000)
  return until > now ? until : null
}

/**
 * Middleware for what changes something: refuses a session in which the password wasn't confirmed in
 * the last minutes. Where readers have no passwords, the session must have begun then.
 */
export function confirmedOnly(
  records: Pick<LibraryRecords, 'confirmedAt'>,
  { passwordSignIn }: Pick<Config, 'passwordSignIn'>,
  now: () => Date,
): MiddlewareHandler<AdminEnv> {
  return createMiddleware<AdminEnv>(async (c, next) => {
    const confirmed = await records.confirmedAt(c.get('administrator'))
    const isConfirmed = confirmedUntil(confirmed, now()) !== null
    if (!isConfirmed && !passwordSignIn) throw new ApiError(403, answers.signInAgain)
    if (!isConfirmed)
      throw new ApiError(403, answers.confirmPassword, {
        confirmation: { code: 'confirmation_required', message: answers.confirmPassword },
      })
    await next()
  })
}
