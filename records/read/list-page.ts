import { setImmediate } from 'node:timers/promises'
import type { Row } from '../database/database.ts'
import type { LexedFilter } from '../filter/lexer.ts'
import type { Collection } from '../schema/collection.ts'
import { readInChunks } from './chunks.ts'
import { present, type PresentedRecord } from './expand.ts'
import { parseExpand } from './expand-tree.ts'
import { chunkText, maxTextLength } from './large-text.ts'
import { parseFields, pickJson, type ResponseShape } from './pick.ts'
import type { QueryContext } from './statements.ts'
import { safeJson } from './wire.ts'

export interface ListParams extends ResponseShape {
  /** From 1. */
  page: number
  /** 1 to 1000. */
  perPage: number
  /** Leaves the count out; both totals are then -1. */
  skipTotal: boolean
  sort: string
  filter: string
}

export interface ListResult {
  /** The envelope as JSON text, without a line end, as far as `rest` does not follow. */
  json: string
  /** What follows where it is very long; records are read when it is asked for them. */
  rest?: AsyncGenerator<string> | undefined
  /** How many records this page has. */
  count: number
  /** -1 when the count was left out. */
  totalItems: number
}

export interface Query {
  collection: Collection
  rule: string
  filter: LexedFilter | null
  sort: string
  /** Part of the statement: SQLite prepares anew whenever a LIMIT is bound. */
  perPage: number
  /** Whether the filter lets through only the viewer's own records. */
  isOwn: boolean
}

/** A list request with its filter lexed. */
export interface PageQuery extends Query, Pick<ListParams, 'page' | 'skipTotal' | 'expand'> {}

export interface FoundPage {
  rows: Row[]
  totalItems: number
}

type Picker = ReturnType<typeof parseFields>

/** Writes the records of a page: at once, or some at a time while a long page is sent. */
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
  // With what is included it has a limit, which is to be known before anything is answered.
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

/** @param size how many a page is said to have; what was asked for unless given */
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
  // Of a full page some may have gone meanwhile; clients tell by this that there is a next one.
  yield closing(found, found.count === found.perPage ? written : found.perPage)
}

/** @returns the text as far as it goes, and what is left of it */
async function begin(text: AsyncGenerator<string>): Promise<Pick<ListResult, 'json' | 'rest'>> {
  let json = ''
  for (;;) {
    const { value, done } = await text.next()
    if (done) return { json }
    json += value
    if (json.length > maxHeldBytes) return { json, rest: text }
  }
}

/** @returns the text, in the pieces it was made in where it is large */
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

/** Records of a page that are read at once. */
const shortPage = 50
/** Characters of a page that is not made while it is sent. */
const maxHeldBytes = 1_000_000

/** Whether only the ids of the page are found, and its records then read in pieces. */
export function isLong({ collection, perPage }: Query): boolean {
  return perPage > shortPage && collection.type !== 'view'
}
