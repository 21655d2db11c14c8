import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type PocketBase from 'pocketbase'
import type { User } from '#shared/account.ts'
import type { UserBook, UserBookForm } from '#shared/user-book.ts'
import {
  bookRemoved,
  errorMessage,
  isApiError,
  isNetworkError,
  isNobodys,
  isNotFound,
} from './errors.ts'
import { editParameters } from './library.ts'
import {
  setOutboxChanges,
  outboxKey,
  type NewChange,
  type ProgressFields,
  type Problem,
  type OutboxBook,
  type OutboxChange,
  type OutboxEdit,
} from './outbox-changes.ts'
import { sendInOrder } from './send-in-order.ts'
import { serverTime } from './server-time.ts'
import { openTabChannel } from './tab-channel.ts'

interface Schema extends DBSchema {
  changes: { key: number; value: Omit<OutboxChange, 'number'>; indexes: { user: string } }
}

let opened: Promise<IDBPDatabase<Schema>> | undefined

async function open(): Promise<IDBPDatabase<Schema>> {
  return (opened ??= openDB<Schema>('octavo', 1, {
    upgrade: (db) =>
      void db.createObjectStore('changes', { autoIncrement: true }).createIndex('user', 'user'),
    terminated: () => (opened = undefined),
  }))
}

/** Every tab shows the same queue. */
const tabs = openTabChannel('octavo:outbox')

/** The result for a scanned book: its record, or undefined if no catalogue has its ISBN. */
type FindBook = (waiting: OutboxBook) => Promise<UserBookForm | undefined>

/**
 * One reader's changes that wait for a connection. They are kept in the browser, so they survive a
 * closed tab, and are sent in their order, each exactly once.
 *
 * @param deps.findBook makes a record of a scanned ISBN when there is a connection
 * @param deps.onSettled called when changes were saved or discarded, as the screen shows the old state
 */
export function openOutbox(deps: {
  api: PocketBase
  user: string
  findBook: FindBook
  onSettled: () => void
}) {
  const { api, user, findBook, onSettled } = deps

  async function read(): Promise<OutboxChange[]> {
    // A browser without a database keeps nothing.
    const db = await open().catch(() => undefined)
    const found: OutboxChange[] = []
    if (!db) return found
    for await (const { primaryKey, value } of db
      .transaction('changes')
      .store.index('user')
      .iterate(user))
      found.push({ ...value, number: primaryKey } as OutboxChange)
    return found
  }

  const show = async () => {
    const waiting = await read()
    // A change may have been added while an empty queue was read.
    if (waiting.length === 0) localStorage.removeItem(outboxKey(user))
    else localStorage.setItem(outboxKey(user), '')
    setOutboxChanges(waiting)
  }
  const tell = async () => {
    await show()
    tabs?.postMessage('changed')
  }

  async function remove(...done: readonly OutboxChange[]): Promise<void> {
    const tx = (await open()).transaction('changes', 'readwrite', { durability: 'strict' })
    await Promise.all([...done.map(({ number }) => tx.store.delete(number)), tx.done])
    await tell()
  }

  async function mark(change: OutboxChange, problem: Problem | undefined): Promise<void> {
    const { number, problem: _before, ...rest } = change
    const db = await open()
    await db.put('changes', problem ? { ...rest, problem } : rest, number)
    await tell()
  }

  /**
   * @returns whether it was saved
   * @throws whatever keeps it from being sent now, and may not another time
   */
  async function send(change: OutboxChange): Promise<boolean> {
    const problem = await (change.kind === 'edit'
      ? sendEdit(api, change)
      : sendBook(api, change, findBook))
    await (problem ? mark(change, problem) : remove(change))
    if (!problem) onSettled()
    return !problem
  }

  async function sendAll(): Promise<void> {
    await sendInOrder(await read(), send)
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    navigator.locks.request(`octavo:outbox:${user}`, work)

  return {
    /** Shows the queue in this tab. @returns ends it */
    start(): () => void {
      tabs?.addEventListener('message', show)
      void show()
      return () => tabs?.removeEventListener('message', show)
    },

    async add(change: NewChange): Promise<void> {
      localStorage.setItem(outboxKey(user), '')
      const tx = (await open()).transaction('changes', 'readwrite', { durability: 'strict' })
      const kept = change.kind === 'add' ? { ...change, id: newRecordId() } : change
      await Promise.all([tx.store.add(kept), tx.done])
      await tell()
    },

    /** Sends what waits, one tab at a time. @returns whether the server could be reached */
    async send(): Promise<boolean> {
      try {
        await inTurn(sendAll)
        return true
      } catch (error) {
        if (!isApiError(error)) throw error
        return !isNetworkError(error) && error.status < 500
      }
    },

    /** Ends a conflict with the reader's own values, which replace those that were shown. */
    keepMine: (edits: readonly OutboxEdit[]) =>
      inTurn(async () => {
        const [first] = edits
        if (first?.problem?.kind !== 'conflict') return
        const { current } = first.problem
        const change = mergedChange(edits)
        const last = edits.at(-1)!
        const mine = { ...last, before: current, change, isUndo: false }
        const problem = await sendEdit(api, mine)
        if (problem) return mark(first, problem)
        await remove(...edits)
        onSettled()
      }),

    discard: (given: readonly OutboxChange[]) =>
      inTurn(async () => {
        await remove(...given)
        onSettled()
      }),

    retry: (change: OutboxChange) => inTurn(() => mark(change, undefined)),
  }
}

export type Outbox = ReturnType<typeof openOutbox>

/** @returns what several edits of one book come to */
export function mergedChange(edits: readonly OutboxEdit[]): ProgressFields {
  return Object.assign({}, ...edits.map(({ change }) => change)) as ProgressFields
}

async function sendEdit(api: PocketBase, edit: OutboxEdit): Promise<Problem | undefined> {
  const { book, before, change, made } = edit
  const books = api.collection<UserBook>('user_books')
  const query = { expected: JSON.stringify(before), ...editParameters(edit) }
  try {
    await books.update(book, change, { query, headers: momentHeaders(made) })
  } catch (error) {
    if (!(await isFinal(api, edit.user, error))) throw error
    if (isNotFound(error)) return { kind: 'refused', message: bookRemoved() }
    if (!isApiError(error) || error.status !== 409)
      return { kind: 'refused', message: errorMessage(error) }
    const now = await books.getOne(book)
    // It was saved before, and only the answer was lost.
    if (isEqual(now, change)) return undefined
    const names = Object.keys({ ...before, ...change }) as (keyof ProgressFields)[]
    return {
      kind: 'conflict',
      current: Object.fromEntries(names.map((name) => [name, now[name]])),
    }
  }
  return undefined
}

/**
 * Has the server date a change when it was made. How long that is ago holds even if the device's
 * clock is wrong, or was and has been corrected.
 */
function momentHeaders(made: OutboxChange['made']): Record<string, string> {
  if (!made) return {}
  const { at, zone } = made
  return { 'X-Waited': String(serverTime() - at), 'X-Time-Zone': zone }
}

function isEqual(now: UserBook, change: ProgressFields): boolean {
  return Object.entries(change).every(([name, value]) => now[name as keyof UserBook] === value)
}

async function sendBook(
  api: PocketBase,
  waiting: OutboxBook,
  findBook: FindBook,
): Promise<Problem | undefined> {
  const record = await findBook(waiting)
  if (!record) return { kind: 'unknown' }
  try {
    const headers = momentHeaders(waiting.made)
    await api.collection('user_books').create({ ...record, id: waiting.id }, { headers })
  } catch (error) {
    if (!(await isFinal(api, waiting.user, error))) throw error
    if (await isThere(api, waiting.id)) return undefined
    return { kind: 'refused', message: errorMessage(error) }
  }
  return undefined
}

/** Whether the reader is signed in. Only an account itself sees its email. */
async function isReader(api: PocketBase, user: string): Promise<boolean> {
  const { items } = await api
    .collection<Pick<User, 'email'>>('users')
    .getList(1, 1, { filter: api.filter('id = {:user}', { user }), skipTotal: true })
  return Boolean(items[0]?.email)
}

async function isThere(api: PocketBase, id: string): Promise<boolean> {
  const found = await api
    .collection('user_books')
    .getList(1, 1, { filter: api.filter('id = {:id}', { id }) })
  return found.items.length > 0
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** As the server makes them. */
function newRecordId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15))
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('')
}

/** Statuses after which the same request would be answered alike. */
const final = new Set([400, 403, 404, 409, 413])

/**
 * Whether a change has been refused for good. Once the session has ended, nobody or another reader is
 * refused what is the reader's; it waits until they are back.
 */
async function isFinal(api: PocketBase, user: string, error: unknown): Promise<boolean> {
  if (!isApiError(error) || !final.has(error.status) || isNobodys(error)) return false
  return isReader(api, user)
}
