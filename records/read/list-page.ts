import { setImmediate } from 'node:timers/promises'
import type { Row } from '../database/database.ts'
import type { LexedFilter } from '../filter/lexer.ts'
import type { Collection } from '../schema/collection.ts'
import { present, type PresentedRecord, presentChunk } from './expand.ts'
import { parseExpand, type ExpandTree } from './expand-tree.ts'
import { chunkText, maxTextLength } from './large-text.ts'
import { parseFields, pickJson, type ResponseShape } from './pick.ts'
import { type QueryContext, cached, execute, selectByIds } from './statements.ts'
import { safeJson } from './wire.ts'

export interface ListParams extends ResponseShape {
  /** From 1. */
  page: number
  /** 1 to 1000. */
  perPage: number
  /** Skips the count; both totals are then -1. */
  skipTotal: boolean
  sort: string
  filter: string
}

export interface ListResult {
  /** The response as JSON text, without a final line break; its beginning if there is a `rest`. */
  json: string
  /** The rest of a very long response, whose records are read on demand. */
  rest?: AsyncGenerator<string> | undefined
  count: number
  /** -1 if the count was skipped. */
  totalItems: number
}

export interface Query {
  collection: Collection
  rule: string
  filter: LexedFilter | null
  sort: string
  /** Part of the statement's text, as SQLite re-prepares a statement whose LIMIT is bound. */
  perPage: number
  /** Whether the filter only matches the viewer's own records. */
  isOwn: boolean
}

/** A list request with its filter lexed. */
export interface PageQuery extends Query, Pick<ListParams, 'page' | 'skipTotal' | 'expand'> {}

export interface FoundPage {
  rows: Row[]
  totalItems: number
}

type Picker = ReturnType<typeof parseFields>

/** Serialises a page: at once, or in chunks while a long page is sent. */
export async function presentPage(
  context: QueryContext,
  query: PageQuery,
  { rows, totalItems }: FoundPage,
  picker: Picker,
): Promise<ListResult> {
  const { collection, rule, page, perPage } = query
  const tree = parseExpand(query.expand)
  const totals = { count: rows.length, totalItems }
  const found: Page = { ...totals, page, perPage }
  if (!isLong(query)) {
    const shown = await present(context, collection, rows, tree)
    if (tree.size && lengthOf(shown) > maxTextLength)
      return { ...totals, ...(await whole(chunkText(textsOf(shown, picker, found)))) }
    const json = safeJson(`${opening}${itemsOf(shown, picker)}${closing(found)}`)
    return { ...totals, json }
  }
  const ids = rows.map(([id]) => String(id))
  const text = writePage(found, readInChunks(context, collection, rule, ids, tree), picker)
  // With expanded relations the size is limited, so write it all before responding.
  return { ...totals, ...(await (tree.size ? whole(text) : begin(text))) }
}

interface Page extends Pick<ListResult, 'count' | 'totalItems'> {
  page: number
  perPage: number
}

const opening = '{"items":['

const lengthOf = (shown: readonly PresentedRecord[]) =>
  shown.reduce((length, { json }) => length + json.length, 0)

function* textsOf(
  shown: readonly PresentedRecord[],
  picker: Picker,
  page: Page,
): Generator<string> {
  for (const [i, { json }] of shown.entries())
    yield (i === 0 ? opening : ',') + pickJson(json, picker)
  yield closing(page)
}

function itemsOf(shown: readonly PresentedRecord[], picker: Picker): string {
  return shown.map(({ json }) => pickJson(json, picker)).join(',')
}

/** @param size the `perPage` to report */
function closing({ page, perPage, totalItems }: Page, size = perPage): string {
  const totalPages = totalItems < 0 ? -1 : Math.ceil(totalItems / perPage)
  return `],"page":${page},"perPage":${size},"totalItems":${totalItems},"totalPages":${totalPages}}`
}

async function* writePage(
  found: Page,
  pieces: AsyncGenerator<readonly PresentedRecord[]>,
  picker: Picker,
): AsyncGenerator<string> {
  yield opening
  let written = 0
  for await (const shown of pieces) {
    if (!shown.length) continue
    const items = itemsOf(shown, picker)
    yield safeJson(written ? `,${items}` : items)
    written += shown.length
  }
  // Records of a full page may have been deleted while it was sent. Clients compare the count with
  // `perPage` to see whether there is a next page, so report what was sent.
  yield closing(found, found.count === found.perPage ? written : found.perPage)
}

/** @returns the text's beginning, and the rest if it is long */
async function begin(text: AsyncGenerator<string>): Promise<Pick<ListResult, 'json' | 'rest'>> {
  let json = ''
  for (;;) {
    const { value, done } = await text.next()
    if (done) return { json }
    json += value
    if (json.length > maxHeldBytes) return { json, rest: text }
  }
}

/** @returns the text; in its pieces if it is large */
async function whole(text: AsyncGenerator<string>): Promise<Pick<ListResult, 'json' | 'rest'>> {
  const pieces: string[] = []
  let length = 0
  for await (const piece of text) {
    pieces.push(piece)
    length += piece.length
  }
  return length > maxTextLength ? { json: '', rest: withPauses(pieces) } : { json: pieces.join('') }
}

async function* withPauses(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece
    await setImmediate()
  }
}

/** Records of a page that is read at once. */
const shortPage = 50
/** Characters of a page that is held in memory before any of it is sent. */
const maxHeldBytes = 1_000_000

/** Whether the page's ids are found first and its records then read in chunks. */
export function isLong({ collection, perPage }: Query): boolean {
  return perPage > shortPage && collection.type !== 'view'
}

/**
 * Records in the first chunk, and in any chunk. Later chunks are sized by the records before them.
 */
const [first, atMost] = [10, 250]
/** Characters to aim for in a chunk, if it has more than one record. */
const aim = 500_000

/**
 * Reads the records of a long page in chunks, so that few are in memory at once, however long they
 * are. Each chunk checks the rule again: records deleted or hidden in the meantime are left out.
 *
 * @param ids the page, in its order
 * @throws ApiError 400 if the page is too large in total, which is only limited with expanded
 *   relations
 */
async function* readInChunks(
  context: QueryContext,
  collection: Collection,
  rule: string,
  ids: readonly string[],
  tree: ExpandTree,
): AsyncGenerator<readonly PresentedRecord[]> {
  const statement = cached(context, `pieces ${collection.id} ${rule}`, () =>
    selectByIds(context, collection, rule),
  )
  let characters = 0
  // One record's expanded relations may be as large as a whole page.
  let size = tree.size ? 1 : first
  for (let at = 0; at < ids.length;) {
    const wanted = ids.slice(at, at + size)
    at += wanted.length
    const rows = await execute(context, statement, { ids: wanted })
    const shown = await presentChunk(context, collection, rows, tree)
    const byId = new Map(shown.map((record) => [record.id, record]))
    yield wanted.flatMap((id) => byId.get(id) ?? [])
    for (const { json } of shown) characters += json.length
    size = Math.min(atMost, Math.ceil((aim * at) / Math.max(1, characters)))
  }
}
