import { useSyncExternalStore } from 'react'
import type { PartialDate } from '#shared/partial-date.ts'
import type { UserBook } from '#shared/user-book.ts'
import { deviceTimeZone } from '#web/i18n/device-time-zone.ts'
import { serverTime } from './server-time.ts'

/** The fields of a book that can be changed offline. */
export type ProgressFields = Partial<
  Pick<UserBook, 'status' | 'progress' | 'progress_percent' | 'rating'>
>

/** Why the server didn't take a change: the reader decides what becomes of it. */
export type Problem =
  /** The book has changed in the meantime. */
  | { kind: 'conflict'; current: ProgressFields }
  /** No catalogue has the ISBN. */
  | { kind: 'unknown' }
  | { kind: 'refused'; message: string }

interface Change {
  /** Its place in the queue. */
  number: number
  user: string
  problem?: Problem
  /** Absent from what an earlier version kept. */
  made?: Moment | undefined
}

/** When a change was made, by the server's clock, and in which time zone. */
interface Moment {
  /** Milliseconds since 1970. */
  at: number
  zone: string
}

/** @returns for a change that is made now, before it is tried: a device may sleep over that */
export const momentNow = (): Moment => ({ at: serverTime(), zone: deviceTimeZone() })

/** An edit of a book, with the values it replaces. */
export interface OutboxEdit extends Change {
  kind: 'edit'
  book: string
  title: string
  before: ProgressFields
  change: ProgressFields
  isUndo: boolean
  /** See `EditKind`; absent from what an earlier version kept. */
  finished?: PartialDate | undefined
}

/** A book that was scanned; the id it will have makes a second try harmless. */
export interface OutboxBook extends Change {
  kind: 'add'
  id: string
  isbn: string
  /** '' for the shelf of what is wanted. */
  shelf: string
}

export type OutboxChange = OutboxEdit | OutboxBook
export type NewChange =
  | Omit<OutboxEdit, 'number' | 'problem'>
  | Omit<OutboxBook, 'number' | 'problem' | 'id'>

/** Takes changes, once its code is here. */
interface Outbox {
  /** @returns whether the browser has kept it */
  add(change: NewChange): Promise<boolean>
}

let changes: readonly OutboxChange[] = []
let outbox: Outbox | undefined
const listeners = new Set<() => void>()
const none: readonly OutboxChange[] = []

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells the screens what waits. */
export function setOutboxChanges(next: readonly OutboxChange[]): void {
  changes = next
  for (const listener of listeners) listener()
}

/** Has changes be kept from now on, in browsers that can; undefined ends it. */
export function setOutbox(next: Outbox | undefined): void {
  outbox = next
  setOutboxChanges(next ? changes : none)
}

/** How long the queue's code may take to arrive; milliseconds. */
const loadingTime = 3000

let isWanted = false
let load: (() => void) | undefined

/** @param loader fetches the code of the queue, which calls {@link setOutbox}; undefined ends it */
export function setOutboxLoader(loader: (() => void) | undefined): void {
  load = loader
  if (isWanted) load?.()
}

/** @returns the queue where changes can wait; undefined in browsers that can't keep anything */
export function loadOutbox(): Promise<Outbox | undefined> {
  if (outbox || !('serviceWorker' in navigator)) return Promise.resolve(outbox)
  isWanted = true
  load?.()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      listeners.delete(end)
      resolve(outbox)
    }
    const timer = setTimeout(end, loadingTime)
    listeners.add(end)
  })
}

/** @returns whether this browser can keep changes */
export const hasOutbox = (): boolean => 'serviceWorker' in navigator

const outboxKeyStart = 'octavo:waiting:'

/** Marks a reader with changes that may still be waiting, so that others needn't look for any. */
export const outboxKey = (user: string): string => outboxKeyStart + user

/** @returns whether changes of any reader may be waiting in this browser */
export const isAnythingWaiting = (): boolean =>
  Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place)).some((key) =>
    key?.startsWith(outboxKeyStart),
  )

/**
 * Keeps a scanned ISBN, to be looked up and added when there is a connection.
 *
 * @param shelf '' for the shelf of what is wanted
 * @returns whether this browser can
 */
export async function queueScannedBook(
  user: string,
  isbn: string,
  shelf: string,
): Promise<boolean> {
  const made = momentNow()
  const ready = await loadOutbox()
  return (await ready?.add({ kind: 'add', user, isbn, shelf, made })) ?? false
}

/** @returns the changes that wait to be saved, in the order they were made */
export const useOutboxChanges = (): readonly OutboxChange[] =>
  useSyncExternalStore(
    listen,
    () => changes,
    () => none,
  )

/** @returns whether an edit of the book waits to be saved */
export const isInOutbox = (book: string): boolean =>
  changes.some((change) => change.kind === 'edit' && change.book === book)

/** {@link isInOutbox} for what is on the screen. */
export const useIsInOutbox = (book: string): boolean =>
  useSyncExternalStore(
    listen,
    () => isInOutbox(book),
    () => false,
  )
