import { collection, type Field } from '#records/index.ts'
import { formats, goalKinds, outcomes, progressUnits, readingSources } from '#shared/reading.ts'
import { created, own, owner, ownerIsPublic, trashLife, updated } from './rules.ts'

/** Whether others can see the record's book on any of the reader's shelves. */
const aboutVisibleBook = [
  '@collection.user_books.user ?= user',
  '@collection.user_books.book_key ?= book_key',
  '@collection.user_books.isPrivate ?= false',
  '@collection.user_books.shelf.visibility ?= "public"',
].join(' && ')

/** The key that links a record to a reader's book; see `bookKey`. */
const bookKeyField: Field = { name: 'book_key', type: 'text', max: 600, writable: 'create' }
const owned = { create: `@request.auth.id != "" && ${own}`, update: own, delete: own }
const withBook = `${own} || (${ownerIsPublic} && ${aboutVisibleBook})`

export const readings = collection({
  name: 'readings',
  trashLife,
  fields: [
    owner,
    bookKeyField,
    { name: 'started', type: 'text', max: 10 },
    { name: 'finished', type: 'text', max: 10 },
    { name: 'outcome', type: 'select', values: outcomes },
    { name: 'format', type: 'select', values: formats },
    { name: 'pages', type: 'number' },
    { name: 'minutes', type: 'number' },
    { name: 'rating', type: 'number' },
    { name: 'source', type: 'select', values: readingSources },
    created,
    updated,
  ],
  rules: { list: withBook, view: withBook, ...owned },
})

/** Private to the reader: it would reveal entries that are hidden from the timeline. */
export const progressLog = collection({
  name: 'progress_log',
  fields: [
    owner,
    bookKeyField,
    { name: 'reading', type: 'relation', collection: 'readings' },
    { name: 'day', type: 'text', max: 10 },
    { name: 'at', type: 'date' },
    { name: 'unit', type: 'select', values: progressUnits },
    { name: 'from', type: 'number' },
    { name: 'to', type: 'number' },
    { name: 'minutes', type: 'number' },
    { name: 'source', type: 'select', values: readingSources },
  ],
  rules: { list: own, view: own, ...owned },
})

const quoteVisible = `${own} || (isPrivate = false && ${ownerIsPublic} && ${aboutVisibleBook})`
export const quotes = collection({
  name: 'quotes',
  trashLife,
  fields: [
    owner,
    bookKeyField,
    { name: 'text', type: 'text' },
    { name: 'note', type: 'text' },
    { name: 'page', type: 'number' },
    { name: 'percent', type: 'number' },
    { name: 'isPrivate', type: 'bool', strict: true },
    created,
    updated,
  ],
  rules: { list: quoteVisible, view: quoteVisible, ...owned },
})

const goalVisible = `${own} || (isPrivate = false && ${ownerIsPublic})`
export const goals = collection({
  name: 'goals',
  fields: [
    owner,
    { name: 'year', type: 'number', required: true },
    { name: 'kind', type: 'select', values: goalKinds, required: true },
    { name: 'target', type: 'number' },
    { name: 'isPrivate', type: 'bool', strict: true },
    created,
    updated,
  ],
  unique: [['user', 'year', 'kind']],
  rules: { list: goalVisible, view: goalVisible, ...owned },
})
