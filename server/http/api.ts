import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { ApiError, invalidForm, type FieldErrors } from '#records/index.ts'
import { issueError } from './field-error.ts'
import { refusalResponses, type Refusal } from './openapi.ts'

/** A router for the product's routes that reports schema errors in the wire's format. */
export function apiRouter(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook(result) {
      if (!result.success) throw refused(result.error)
    },
  })
}

/** What the answer of a page of a list has beside its items; see `Page`. */
export const pageFields = {
  page: z.int(),
  perPage: z.int(),
  totalItems: z.int(),
  totalPages: z.int(),
}

/**
 * Parses a request's query with a schema in one step, for routes that must take little time on the
 * main thread.
 *
 * @throws ApiError 400 with the schema's errors
 */
export function parseQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  const query: Record<string, string | readonly string[]> = c.req.queries()
  for (const name in query) {
    const [value, another] = query[name] ?? []
    if (value !== undefined && another === undefined) query[name] = value
  }
  const result = schema.safeParse(query)
  if (!result.success) throw refused(result.error)
  return result.data
}

function refused({ issues }: z.core.$ZodError): ApiError {
  const data: FieldErrors = {}
  for (const issue of issues) data[String(issue.path[0])] ??= issueError(issue)
  return issues.every(isNotFoundIssue) ? new ApiError(404, '', data) : invalidForm(data)
}

const isNotFoundIssue = (issue: z.core.$ZodIssue) =>
  issue.code === 'custom' && issue.params?.['notFound'] === true

/** A route's success response and its refusals beyond the common ones. */
export const okResponses = <Data extends z.ZodType>(
  description: string,
  data: Data,
  ...refusals: Refusal[]
) => ({
  200: { description, content: { 'application/json': { schema: z.object({ data }) } } },
  ...refusalResponses(refusals),
})

/** The same for a route whose former addresses redirect, with the answer as their body. */
export const movedResponses = <Data extends z.ZodType>(
  description: string,
  data: Data,
  ...refusals: Refusal[]
) => {
  const responses = okResponses(description, data, ...refusals)
  return { ...responses, 301: { ...responses[200], description: 'It has another id now' } }
}

/** The same for a route with an empty response. */
export const emptyResponses = (description: string, ...refusals: Refusal[]) => ({
  204: { description },
  ...refusalResponses(refusals),
})
