import { asWritten, collection, type Field } from '#records/index.ts'
import {
  connectionForm,
  connectionKinds,
  connectionProblems,
  maxDeviceFile,
  serviceForm,
  type DeviceBook,
} from '#shared/connection.ts'
import type { ImportedQuote } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'
import { withLife } from './life.ts'
import { created, own, owner, ownersWrite } from './rules.ts'

/** How far a device got on one of the reader's days. */
export interface Push {
  /** In the reader's time zone, YYYY-MM-DD. */
  day: string
  /** When the device said so, as an ISO timestamp. */
  at: string
  /** 0 to 100. */
  percent: number
  /** Whether the reader's book has been moved there. */
  applied: boolean
  /** Whether the reading time comes from elsewhere, and the progress log is left to it. */
  isTimed?: true
}

/** A device's end of a book. */
export interface Finish {
  /** In the reader's time zone, YYYY-MM-DD. */
  day: string
  /** As an ISO timestamp. */
  at: string
  /** The reading that it has made or ended; '' for none. */
  reading: string
  /** The day on which it has made the reading begin; '' for none. */
  started: string
  /** The length of the recording; 0 for what was read, absent in older ones. */
  minutes?: number
}

/** The fields of a reader's book that a device changes. */
export const boundFields = ['status', 'progress', 'progress_percent', 'progress_minutes'] as const
export interface BoundPosition {
  status: Status | ''
  progress: number
  progress_percent: number
  /** Absent in what was written before devices moved it. */
  progress_minutes?: number
}

/** A record that follows from a device's change of a book. */
export interface CreatedRecord {
  collection: 'activities' | 'progress_log' | 'readings'
  id: string
}

/** What a device has changed about a reader's book since they were bound. */
export interface BindingEffect {
  before: BoundPosition
  after: BoundPosition
  created: CreatedRecord[]
}

/** How far the job has come with the days of a document that was bound, in place of its effect. */
export interface AppliedDays {
  /** To or from which book. */
  task: string
  /** The last one in UTC. */
  day: string
}

/** How long a page was open, in a device's statistics. */
export type PageTime = readonly [
  /** The page, counted as the device does. */
  page: number,
  /** Seconds since 1970. */
  start: number,
  seconds: number,
  /** The pages of the whole document. */
  pages: number,
]

/** A passage that a device has marked, and what of it is yet to become a quote. */
export interface DeviceQuote extends ImportedQuote {
  state: 'new' | 'changed' | 'applied'
}

/** The quotes that a document's highlights have made or changed, to be taken back. */
export interface QuotesEffect {
  quotes: { id: string; updated: string }[]
  requoted: { id: string; updated: string; before: Record<string, unknown> }[]
}

const hidden = { readable: 'nobody', writable: 'never' } as const

/** How far a service has been read, as each kind of service says it. */
export interface ServiceCursor {
  /** Everything that changed before this is known. */
  since: string
  /** Where an answer of several pages goes on; '' for its beginning. */
  page: string
  /** When the first of its pages was asked for. */
  begun: string
}

/**
 * What a device signs in with, which only the answer to a create shows, or a service that is asked
 * at regular times.
 */
export const connections = withLife(
  collection({
    name: 'connections',
    sessionOnly: true,
    fields: [
      owner,
      { name: 'kind', type: 'select', values: connectionKinds, required: true, writable: 'create' },
      { name: 'name', type: 'text', max: 60 },
      { name: 'username', type: 'text', max: 40, ...hidden },
      // A hash of the password; see devices/password.ts.
      { name: 'secret', type: 'text', max: 64, ...hidden },
      { name: 'last_used', type: 'date', writable: 'never' },
      { name: 'paused', type: 'bool', strict: true },
      created,
      // Of services only.
      { name: 'address', type: 'text', max: 500 },
      { name: 'sends', type: 'bool', strict: true },
      { name: 'problem', type: 'select', values: connectionProblems, writable: 'never' },
      // Kept as it is, since the service wants it.
      { name: 'token', type: 'text', max: 2000, readable: 'nobody', writable: 'always' },
      { name: 'due', type: 'date', ...hidden },
      { name: 'tries', type: 'number', ...hidden },
      { name: 'cursor', type: 'json', holds: asWritten<ServiceCursor | null>, ...hidden },
    ],
    unique: [['username']],
    rules: {
      list: own,
      view: own,
      ...ownersWrite,
    },
  }),
  // Only services have an address and a token.
  { forms: [connectionForm, serviceForm.partial()] },
)

const devices = { writable: 'never' } as const

/** The files on a reader's devices. The reader says which book each is. */
export const deviceBooks = withLife(
  collection({
    name: 'device_books',
    fields: [
      { ...owner, writable: 'never' },
      { name: 'connection', type: 'relation', collection: 'connections', ...devices },
      { name: 'document', type: 'text', max: 128, required: true, ...devices },
      { name: 'title', type: 'text', max: 500, ...devices },
      { name: 'authors', type: 'json', holds: asWritten<DeviceBook['authors']>, ...devices },
      { name: 'filename', type: 'text', max: 500, ...devices },
      { name: 'device', type: 'text', max: 200, ...devices },
      { name: 'device_id', type: 'text', max: 200, ...hidden },
      // As the device sent them: 0 to 1, and a place that only the device understands.
      { name: 'percentage', type: 'number', ...devices },
      { name: 'progress', type: 'text', max: 5000, ...hidden },
      { name: 'pushed', type: 'date', ...devices },
      { name: 'book_key', type: 'text', max: 600 },
      { name: 'proposal', type: 'text', max: 600, ...devices },
      { name: 'ignored', type: 'bool', strict: true },
      { name: 'pushes', type: 'json', holds: asWritten<Push[] | null>, ...hidden },
      // What the binding has written, to be taken back if it was wrong.
      {
        name: 'effect',
        type: 'json',
        holds: asWritten<BindingEffect | AppliedDays | null>,
        ...hidden,
      },
      // Whether the job that applies what devices sent has something to do.
      { name: 'pending', type: 'bool', ...hidden },
      // The book to which the document's page times have been applied.
      { name: 'timed_key', type: 'text', max: 600, ...hidden },
      // Every time it was finished, in any order.
      { name: 'finishes', type: 'json', holds: asWritten<Finish[] | null>, ...hidden },
      // When the service that was asked last changed what it says; milliseconds since 1970.
      { name: 'seen', type: 'number', ...hidden },
    ] as const satisfies readonly Field[],
    unique: [['user', 'document']],
    rules: { list: own, view: own, create: null, update: own, delete: own },
  }),
  { cleared: true, bookKeys: ['book_key', 'timed_key', 'proposal'] },
)

/** Files that KOReader keeps here, by their path below `/dav`. A folder has no file. */
export const deviceFiles = withLife(
  collection({
    name: 'device_files',
    fields: [
      { ...owner, writable: 'never' },
      // Which wrote it last. All of a reader's connections see the same files.
      { name: 'connection', type: 'relation', collection: 'connections', ...devices },
      { name: 'path', type: 'text', max: 500, required: true, ...devices },
      {
        name: 'file',
        type: 'file',
        maxSize: maxDeviceFile.bytes,
        // Pictures are stored as a clean copy, while a device wants its own bytes back.
        refusesPictures: true,
        ...devices,
      },
      { name: 'size', type: 'number', ...devices },
      // The content's SHA-256, in hexadecimal.
      { name: 'hash', type: 'text', max: 64, ...devices },
      { name: 'modified', type: 'date', ...devices },
      // Whether it may be older than the file that devices got last.
      { name: 'withheld', type: 'bool', ...hidden },
      // How often the job that reads statistics will still try it; 0 once it is read.
      { name: 'tries', type: 'number', ...hidden },
    ] as const satisfies readonly Field[],
    unique: [['user', 'path']],
    rules: { list: own, view: own, create: null, update: null, delete: null },
  }),
  { cleared: true },
)

/** The page times of a document on one day in UTC, as devices' statistics have them. */
export const readingTimes = withLife(
  collection({
    name: 'reading_times',
    fields: [
      { ...owner, writable: 'never' },
      { name: 'document', type: 'text', max: 128, required: true, ...devices },
      { name: 'day', type: 'text', max: 10, required: true, ...devices },
      // The reader's when the first of them came: a day stays the same when they travel.
      { name: 'time_zone', type: 'text', max: 64, ...devices },
      { name: 'times', type: 'json', holds: asWritten<PageTime[]>, ...devices },
      // How many they are.
      { name: 'pages', type: 'number', ...hidden },
      // The hour at which the reader's day ended, when the first of them came.
      { name: 'day_end', type: 'number', ...devices },
    ] as const satisfies readonly Field[],
    unique: [['user', 'document', 'day']],
    rules: { list: own, view: own, create: null, update: null, delete: null },
  }),
  { cleared: true },
)

/** Times for which a reader has listened to a document, as the service that played it has them. */
export const listeningSessions = withLife(
  collection({
    name: 'listening_sessions',
    fields: [
      { ...owner, writable: 'never' },
      { name: 'document', type: 'text', max: 128, required: true, ...devices },
      // The service's own id.
      { name: 'session', type: 'text', max: 64, required: true, ...devices },
      { name: 'started', type: 'date', ...devices },
      // The reader's when it first came: a day stays the same when they travel.
      { name: 'time_zone', type: 'text', max: 64, ...devices },
      // How long they listened, where they began and ended, and the length of the whole.
      { name: 'seconds', type: 'number', ...devices },
      { name: 'from', type: 'number', ...devices },
      { name: 'to', type: 'number', ...devices },
      { name: 'length', type: 'number', ...devices },
      // The hour at which the reader's day ended, when it first came.
      { name: 'day_end', type: 'number', ...devices },
    ] as const satisfies readonly Field[],
    unique: [['user', 'document', 'session']],
    rules: { list: own, view: own, create: null, update: null, delete: null },
  }),
  { cleared: true },
)

/** What a reader's devices have marked in a document. */
export const deviceQuotes = withLife(
  collection({
    name: 'device_quotes',
    fields: [
      { ...owner, writable: 'never' },
      { name: 'document', type: 'text', max: 128, required: true, ...devices },
      {
        name: 'quotes',
        type: 'json',
        maxSize: 2_000_000,
        holds: asWritten<DeviceQuote[] | null>,
        ...devices,
      },
      // The book whose quotes they are; '' while none is known.
      { name: 'book_key', type: 'text', max: 600, ...devices },
      { name: 'effect', type: 'json', holds: asWritten<QuotesEffect | null>, ...hidden },
      // Whether the reader has said that it isn't the book: from then on only they say which it is.
      { name: 'held', type: 'bool', ...hidden },
    ] as const satisfies readonly Field[],
    unique: [['user', 'document']],
    rules: { list: own, view: own, create: null, update: null, delete: null },
  }),
  { cleared: true, bookKeys: ['book_key'] },
)
