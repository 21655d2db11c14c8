import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { ApiError, type Viewer } from '#records/index.ts'
import { version } from '#server/runtime/version.ts'
import type { ReaderApi } from './reader-api.ts'
import { tools, type Tool } from './tools.ts'

/** Bytes of a request; a review has the most. */
const maxRequest = 128 * 1024

/**
 * Answers one request of the protocol, which has no sessions.
 *
 * @param api the API as the reader sees it
 * @param viewer what the reader's token allows decides which tools there are
 */
export async function answerMcp(
  request: Request,
  api: ReaderApi,
  viewer: Pick<Viewer, 'scope'>,
): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(api, viewer), {
    maxRequestBodySize: maxRequest,
    // The list of tools never changes, so there is nothing to listen for.
    maxSubscriptions: 0,
  })
  return handler.fetch(request)
}

function serverFor(api: ReaderApi, viewer: Pick<Viewer, 'scope'>): McpServer {
  const server = new McpServer(
    { name: 'octavo', title: 'Octavo', version },
    {
      instructions:
        'Octavo keeps the books of the reader who gave you this token. Find a book with my_books before you change it, and with search_books before you add it.',
    },
  )
  for (const one of tools)
    if (one.scope === 'read' || viewer.scope?.level !== 'read') register(server, one, api)
  return server
}

function register(server: McpServer, tool: Tool, api: ReaderApi): void {
  const { name, title, description, input, scope, run } = tool
  const annotations = {
    readOnlyHint: scope === 'read',
    destructiveHint: false,
    openWorldHint: false,
  }
  server.registerTool(
    name,
    { title, description, inputSchema: input, annotations },
    async (given) => {
      try {
        const answer = { ...(await run(api, given)) }
        return {
          content: [{ type: 'text', text: JSON.stringify(answer) }],
          structuredContent: answer,
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return { content: [{ type: 'text', text: error.message }], isError: true }
      }
    },
  )
}
