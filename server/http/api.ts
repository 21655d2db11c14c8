import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { invalidForm, type ApiError, type FieldErrors } from '#records/index.ts'

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
export function validQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
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
  return invalidForm(data)
}

const fieldError = z.object({ code: z.string(), message: z.string() })

/** What every call answers when something is wrong: see `ApiError`. */
const problem = z.object({
  status: z.number(),
  message: z.string(),
  data: z.record(z.string(), fieldError),
})

/** What a call answers when all is well, and otherwise. */
export const answers = <Data extends z.ZodType>(description: string, data: Data) => ({
  200: { description, content: { 'application/json': { schema: z.object({ data }) } } },
  default: {
    description: 'What is wrong, in a sentence, and at which field',
    content: { 'application/json': { schema: problem } },
  },
})
