import type { TokenScope, Viewer } from '../filter/request.ts'

/** A client's subscription; see {@link parseTopic}. */
export interface Topic {
  /** The subscription as the client wrote it, which is also the name of its events. */
  name: string
  /** `collection id/record id` or `collection id/*`; '' for a collection without events. */
  channel: string
  query: Readonly<Record<string, string>>
  /** Names in lower snake case. */
  headers: Readonly<Record<string, string>>
}

/**
 * Parses a subscription: `collection/*`, `collection/id` or `collection`, optionally followed by
 * `?options=` with URL-encoded JSON of query and headers.
 *
 * @param idOf returns the id of the collection with this exact id or name
 */
export function parseTopic(name: string, idOf: (key: string) => string | undefined): Topic {
  const [path, search = ''] = split(name, '?')
  const [collection, record = '*'] = split(path, '/')
  const id = idOf(collection)
  let options: unknown
  try {
    options = JSON.parse(new URLSearchParams(search).get('options') ?? '{}')
  } catch {
    options = {}
  }
  const part = (key: string) =>
    typeof options === 'object' && options !== null ? strings(Reflect.get(options, key)) : []
  return {
    name,
    channel: id === undefined ? '' : `${id}/${record}`,
    query: Object.fromEntries(part('query')),
    headers: Object.fromEntries(
      part('headers').map(([key, value]) => [key.toLowerCase().replaceAll('-', '_'), value]),
    ),
  }
}

/**
 * Names those who see the same of a topic: an account, and the collections that its API token is
 * limited to. '' for visitors.
 */
export function audienceOf(viewer: Pick<Viewer, 'id' | 'scope'> | null): string {
  return viewer ? [viewer.id, ...(viewer.scope?.collections ?? [])].join(' ') : ''
}

/** @returns the account and the scope of an {@link audienceOf} */
export function parseAudience(audience: string): { account: string; scope?: TokenScope } {
  const [account = '', ...collections] = audience.split(' ')
  return { account, ...(collections.length && { scope: { level: 'read', collections } }) }
}

/** @returns whether the subscription is to the whole collection */
export function isList(topic: Topic): boolean {
  return topic.channel.endsWith('/*')
}

function split(text: string, at: string): [string, string?] {
  const index = text.indexOf(at)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

function strings(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, entry]: [string, unknown]) => [
    key,
    typeof entry === 'string' ? entry : entry === null ? '' : JSON.stringify(entry),
  ])
}
