import { z } from '@hono/zod-openapi'
import { pageFields } from '#server/http/api.ts'
import { adminActs } from '#shared/admin.ts'
import { importFormats, importStates } from '#shared/import.ts'
import { reportReasons } from '#shared/report.ts'
import { signUpModes } from '#shared/sign-up.ts'

/* What the administrator's routes answer, for the OpenAPI document; see `shared/admin.ts`. */

/** One page of a list. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), ...pageFields })

export const reader = z.object({
  username: z.string(),
  email: z.string(),
  name: z.string(),
  isVerified: z.boolean(),
  since: z.string(),
  seen: z.string(),
  books: z.int(),
  space: z.int(),
  sessions: z.int(),
  isPrivate: z.boolean(),
  isHidden: z.boolean(),
  isAdmin: z.boolean(),
})

export const invitation = z.object({ id: z.string(), created: z.string(), expires: z.string() })

export const report = z.object({
  id: z.string(),
  reporter: z.string(),
  reported: z.string(),
  reason: z.enum(Object.keys(reportReasons) as (keyof typeof reportReasons)[]),
  details: z.string(),
  created: z.string(),
  isHidden: z.boolean(),
})

const formats = Object.keys(importFormats) as (keyof typeof importFormats)[]

export const jobs = z.object({
  imports: z.array(
    z.object({
      id: z.string(),
      username: z.string(),
      format: z.enum([...formats, '']),
      state: z.enum(importStates),
      total: z.int(),
      done: z.int(),
      created: z.string(),
    }),
  ),
  waiting: z.object({
    books: z.int(),
    devices: z.int(),
    webhooks: z.int(),
    mails: z.int(),
  }),
})

export const site = z.object({
  version: z.string(),
  node: z.string(),
  schema: z.int(),
  database: z.enum(['SQLite', 'PostgreSQL']),
  signUps: z.enum(signUpModes),
  providers: z.array(z.string()),
  readers: z.int(),
  backup: z
    .object({
      made: z.string(),
      attempted: z.string(),
      result: z.enum(['', 'made', 'failed']),
      failure: z.string(),
    })
    .nullable(),
  mails: z.object({
    waiting: z.int(),
    failed: z.int(),
    oldest: z.string(),
    hasServer: z.boolean(),
  }),
})

export const check = z.object({
  name: z.string(),
  isWell: z.boolean(),
  message: z.string(),
  advice: z.string(),
})

export const logEntry = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  act: z.enum(adminActs),
  subject: z.string(),
})

export const until = z.object({ until: z.string() })
