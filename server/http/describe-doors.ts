import type { ApiDocument, JsonSchema, Parameter } from './api-document.ts'
import { call } from './describe-records.ts'

const text = { type: 'string' }

const inPath = (name: string): Parameter => ({ name, in: 'path', required: true, schema: text })

const language: Parameter = {
  name: 'lang',
  in: 'query',
  description: 'The language of its sentences; otherwise one that the client prefers',
  schema: text,
}
const page: Parameter = {
  name: 'page',
  in: 'query',
  description: 'Of 50 entries each',
  schema: { type: 'integer', minimum: 1, maximum: 200, default: 1 },
}

function feed(summary: string, type: string, parameters: Parameter[]) {
  const found = call(summary, { parameters, refusals: [404] })
  const responses = {
    ...found.responses,
    200: { description: 'With an ETag', content: { [type]: { schema: text } } },
    304: { description: 'Nothing has changed since the version in If-None-Match' },
  }
  return { get: { ...found, responses } }
}

const atom = 'application/atom+xml; charset=utf-8'
const calendar = 'text/calendar; charset=utf-8'

const message: JsonSchema = {
  type: 'object',
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: { type: ['string', 'integer'] },
    method: text,
    params: { type: 'object' },
  },
  required: ['jsonrpc', 'method'],
}

/** The calls that are neither records nor under `/api/v1`: feeds, and what assistants speak to. */
export const doorPaths: ApiDocument['paths'] = {
  '/u/{username}/feed.atom': feed('What a reader does, as Atom, the newest first', atom, [
    inPath('username'),
    language,
    page,
  ]),
  '/u/{username}/calendar.ics': feed('Finished days and the ends of goals', calendar, [
    inPath('username'),
    language,
  ]),
  '/shelf/{id}/feed.atom': feed('The books on a shelf, as Atom, the newest first', atom, [
    inPath('id'),
    language,
    page,
  ]),
  '/feeds/{secret}.atom': feed('What the owner of the secret does, as they see it', atom, [
    inPath('secret'),
    language,
    page,
  ]),
  '/feeds/{secret}.ics': feed('The calendar of the owner of the secret', calendar, [
    inPath('secret'),
    language,
  ]),
  '/mcp': {
    post: call('The Model Context Protocol of 2026-07-28, and of 2025; at most 128 KB', {
      isOfReaders: true,
      body: message,
      answer: [200, 'A message of JSON-RPC, or an event that has one'],
    }),
  },
}
