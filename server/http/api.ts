import { OpenAPIHono, z } from '@hono/zod-openapi'
import { invalidForm, type FieldErrors } from '#records/index.ts'

/** A group of the product's own routes; what a schema refuses is answered in the wire's shape. */
export function apiRouter(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook(result) {
      if (result.success) return
      const data: FieldErrors = {}
      for (const { path, message } of result.error.issues)
        data[String(path[0])] ??= { code: 'validation_invalid_value', message }
      throw invalidForm(data)
    },
  })
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
