import { OpenAPIHono, z } from '@hono/zod-openapi'

/** The statuses of refusals and their descriptions. */
export const refusals = {
  400: 'The request is not as described here',
  401: 'Nobody is signed in, or the session has ended',
  403: 'Another site asks with the session cookie, or the API token lacks a scope',
  404: 'Not found, or the caller cannot see it',
  409: 'It cannot be done as things are',
  413: 'The body is too large',
  414: 'The address is longer than 8192 characters',
  415: 'The body is compressed, or of another type',
  431: 'Address and headers are longer than 16 KB; without a body',
  429: 'Too many requests; Retry-After says after how many seconds to try again',
  500: 'Something went wrong on the server',
  502: 'The payment provider does not answer',
  503: 'The server is busy or lacks something; Retry-After says when to try again',
  507: 'There is not enough space to save it',
} as const

export type Refusal = keyof typeof refusals

/** The body of every error response; see `ApiError`. */
const problem = z
  .object({
    status: z.int(),
    message: z.string(),
    data: z.record(
      z.string(),
      z.object({
        code: z.string(),
        message: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      }),
    ),
  })
  .openapi('Problem')

/** @returns the `responses` of a route's refusals */
export function refusalResponses(
  statuses: readonly Refusal[],
): Record<number, { description: string }> {
  const content = { 'application/json': { schema: problem } }
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      // Node itself answers 431.
      { description: refusals[status], ...(status !== 431 && { content }) },
    ]),
  )
}

const session = [{ token: [] }, { cookie: [] }]

/**
 * Who may call a route: signed-in readers; everybody, with more for readers; the payment provider;
 * administrators, for whom alone it is there.
 */
export const access = {
  readers: { security: session },
  everybody: { security: [{}, ...session] },
  provider: { security: [{ signature: [] }] },
  administrators: { security: [...session] },
}

const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A session’s token or an API token, with or without Bearer before it',
  },
  cookie: { type: 'apiKey', in: 'cookie', name: 'pb_auth' },
  signature: { type: 'apiKey', in: 'header', name: 'Stripe-Signature' },
} as const

type Definition = OpenAPIHono['openAPIRegistry']['definitions'][number]
type Route = Extract<Definition, { type: 'route' }>['route']

/** The refusals that follow from the common middleware and from a route's method and parameters. */
function commonRefusals({ method, request, security }: Route): Refusal[] {
  const isWrite = method !== 'get'
  const isByProvider = security === access.provider.security
  const all: Refusal[] = [414, 431, 500, 503]
  if (request || isByProvider) all.push(400)
  if (security === access.readers.security) all.push(401)
  if (security === access.administrators.security) all.push(404)
  if (isWrite) all.push(413, 415, 507)
  if (!isByProvider) all.push(403, 429)
  return all
}

/** The extension that lists parameters of which one is required. */
const needed = 'x-needed'

/**
 * Generates the OpenAPI document of the product's routes, with every status and limit.
 *
 * @param router with all the routes
 * @param config the document's general part
 */
export function describeApi(
  router: OpenAPIHono,
  config: Parameters<OpenAPIHono['getOpenAPI31Document']>[0],
): object {
  const described = new OpenAPIHono()
  const { openAPIRegistry: registry } = described
  for (const [name, scheme] of Object.entries(securitySchemes))
    registry.registerComponent('securitySchemes', name, scheme)
  for (const one of router.openAPIRegistry.definitions)
    if (one.type === 'route')
      registry.registerPath({
        ...one.route,
        [needed]: one.route.request?.query?.meta()?.['anyOf'],
        responses: { ...refusalResponses(commonRefusals(one.route)), ...one.route.responses },
      })
  const document = described.getOpenAPI31Document(config)
  for (const path of Object.values(document.paths ?? {}))
    for (const call of [path.get, path.post, path.delete]) if (call) joinParameters(call)
  return document
}

interface Parameter {
  name?: string
  in?: string
  schema?: object
}
interface Call {
  parameters?: (Parameter | object)[]
  [needed]?: unknown
}

/**
 * If one of several parameters is required, the whole query becomes one exploded object parameter:
 * JSON Schema can't express it otherwise.
 */
function joinParameters(call: Call): void {
  const { [needed]: anyOf, parameters = [] } = call
  delete call[needed]
  if (!anyOf) return
  const properties = Object.fromEntries(
    parameters.map((one) => ['name' in one ? one.name : '', 'schema' in one ? one.schema : {}]),
  )
  const schema = { type: 'object', properties, anyOf }
  call.parameters = [
    { name: 'query', in: 'query', required: true, style: 'form', explode: true, schema },
  ]
}
