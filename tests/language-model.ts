import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the stand-in was sent. */
export interface ModelQuestion {
  authorization: string | undefined
  body: { model: string; messages: { role: string; content: string }[] }
}

/** An OpenAI-compatible endpoint on loopback that answers, or misbehaves, as it is told. */
export interface LanguageModel {
  url: string
  questions: ModelQuestion[]
  /** From now on it answers with this content. */
  say(content: unknown): void
  /** From now on it does something else. */
  misbehave(how: (response: ServerResponse) => void): void
  close(): Promise<void>
}

export async function openLanguageModel(): Promise<LanguageModel> {
  const questions: ModelQuestion[] = []
  let reply = (response: ServerResponse): void => void response.writeHead(404).end()
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      questions.push({ authorization: request.headers.authorization, body })
      reply(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    questions,
    say(content) {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const answer = { choices: [{ message: { role: 'assistant', content: text } }] }
      reply = (response) =>
        void response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(answer))
    },
    misbehave(how) {
      reply = how
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function read(request: IncomingMessage): Promise<ModelQuestion['body']> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as ModelQuestion['body']
}
