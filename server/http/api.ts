import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { ApiError, invalidForm, type FieldErrors } from '#records/index.ts'
import { refusalResponses, type Refusal } from './openapi.ts'

/** A group of the product's own routes; what a schema refuses is answered in the wire's shape. */
export function apiRouter(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook(result) {
      if (!result.success) throw refused(result.error)
    },
  })
}

/**
 * What a schema makes of a request's query, as the router's own check would, in one step: for calls
 * that are to take little of the thread that answers.
 *
 * @throws ApiError 400 with what the schema refuses
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
  for (const { path, message } of issues)
    data[String(path[0])] ??= { code: 'validation_invalid_value', message }
  return issues.every(isNotFoundIssue) ? new ApiError(404, '', data) : invalidForm(data)
}

const isNotFoundIssue = (issue: z.core.$ZodIssue) =>
  issue.code === 'custom' && issue.params?.['notFound'] === true

/** What a call answers when all is well, and what it refuses besides what every call may refuse. */
export const okResponses = <Data extends z.ZodType>(
  description: string,
  data: Data,
  ...refusals: Refusal[]
) => ({
  200: { description, content: { 'application/json': { schema: z.object({ data }) } } },
  ...refusalResponses(refusals),
})

/** The same of a call that answers nothing. */
export const emptyResponses = (description: string, ...refusals: Refusal[]) => ({
  204: { description },
  ...refusalResponses(refusals),
})
