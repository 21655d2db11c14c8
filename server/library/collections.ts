import { collection, Schema } from '#records/index.ts'
import { accents } from '#shared/accent.ts'
import { otp, trust } from '#shared/account.ts'
import { activityEvents } from '#shared/activity.ts'
import { visibilities } from '#shared/bookshelf.ts'
import { languages } from '#shared/language.ts'
import { plans, type Plan } from '#shared/plan.ts'
import { ratingScales } from '#shared/rating.ts'
import { formats } from '#shared/reading.ts'
import { statuses } from '#shared/user-book.ts'
import { importRows, importsCollection } from '#server/import/collections.ts'
import { profileRows } from './profile.ts'
import { goals, progressLog, quotes, readings } from './reading-collections.ts'
import { created, isPublic, own, owner, ownerIsPublic, trashLife, updated } from './rules.ts'

const day = 24 * 60 * 60

/** True for nobody, yet a rule and not a lock: the answer is the one for what does not exist. */
const never = '1 = 2'

const selfOrPublic = (settings: string) => `id = @request.auth.id || (${isPublic(settings)})`

const images = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml']

const users = collection({
  id: '_pb_users_auth_',
  name: 'users',
  type: 'auth',
  fields: [
    { name: 'username', type: 'text', max: 30 },
    { name: 'name', type: 'text', max: 100 },
    { name: 'avatar', type: 'file', mimeTypes: images, thumbs: ['100x50f', '100x100', '256x256'] },
    { ...created, readable: 'nobody' },
    { ...updated, readable: 'nobody' },
  ],
  unique: [['username']],
  rules: {
    list: selfOrPublic('settings_via_user.'),
    view: selfOrPublic('settings_via_user.'),
    create: '@request.auth.id = ""',
    update: 'id = @request.auth.id',
    delete: 'id = @request.auth.id',
  },
  auth: {
    tokenLife: 14 * day,
    sessionIdle: 14 * day,
    sessionLife: 30 * day,
    otp,
    mfa: { life: 600 },
    trust: { life: trust.days * day },
  },
})

function withoutCodes(accounts: typeof users): typeof users {
  const { auth } = accounts
  return {
    ...accounts,
    ...(auth && { auth: { ...auth, otp: { ...otp, life: 0 }, mfa: { life: 0 } } }),
  }
}

const profile = collection({
  name: 'profile',
  type: 'view',
  fields: [
    { name: 'username', type: 'text' },
    { name: 'name', type: 'text' },
    { name: 'avatar', type: 'file', origin: { collection: 'users', by: 'id' } },
    { name: 'background', type: 'file', origin: { collection: 'settings', by: 'user' } },
    { name: 'isPrivate', type: 'bool' },
    { name: 'isHidden', type: 'bool', readable: 'nobody' },
    { name: 'average_rating', type: 'number' },
    { name: 'books_count', type: 'number' },
    { name: 'books_read', type: 'number' },
    { name: 'shelves_count', type: 'number' },
    { name: 'pages_read', type: 'number' },
    { name: 'created', type: 'date' },
  ],
  unique: [['username']],
  rules: {
    list: selfOrPublic(''),
    view: selfOrPublic(''),
    create: null,
    update: null,
    delete: null,
  },
  select: profileRows,
})

const settings = collection({
  name: 'settings',
  fields: [
    owner,
    { name: 'background', type: 'file', mimeTypes: images, thumbs: ['1287x480'] },
    // What cannot be read must not make a private profile public.
    { name: 'isPrivate', type: 'bool', strict: true },
    { name: 'default_add_status', type: 'select', values: statuses, required: true },
    // Since when entries are shown on the free plan, to the reader and to others.
    { name: 'activities_since', type: 'text', readable: 'nobody', writable: 'never' },
    { name: 'activities_public_since', type: 'text', readable: 'nobody', writable: 'never' },
    { name: 'country', type: 'text', max: 2 },
    { name: 'stores', type: 'json', maxSize: 32_768 },
    // By the operator; only the reader is told.
    { name: 'isHidden', type: 'bool', writable: 'never' },
    { name: 'accent', type: 'select', values: accents },
    // How many entries are newer than these two; see activity-limit.ts.
    { name: 'activities_newer', type: 'number', readable: 'nobody', writable: 'never' },
    { name: 'activities_public_newer', type: 'number', readable: 'nobody', writable: 'never' },
    // Where the reader's days begin and end; an IANA name.
    { name: 'time_zone', type: 'text', max: 64 },
    // What ratings are shown out of; they are kept out of 10.
    { name: 'rating_scale', type: 'select', values: ratingScales },
    // The language of the screens. Empty means the browser's.
    { name: 'language', type: 'select', values: Object.keys(languages) },
  ],
  unique: [['user']],
  rules: { list: own, view: own, create: never, update: own, delete: never },
})

const subscriptions = collection({
  name: 'subscriptions',
  fields: [
    { ...owner, writable: 'never' },
    { name: 'status', type: 'text', writable: 'never' },
    // When it ends, if it was cancelled; and when at the latest a payment that failed must be made.
    { name: 'ends', type: 'date', writable: 'never' },
    { name: 'pay_by', type: 'date', writable: 'never' },
  ],
  unique: [['user']],
  rules: { list: own, view: own, create: null, update: null, delete: null },
})

const shelfVisible = `${own} || (visibility = "public" && ${ownerIsPublic})`
const bookshelves = collection({
  name: 'bookshelves',
  trashLife,
  fields: [
    owner,
    { name: 'name', type: 'text' },
    { name: 'visibility', type: 'select', values: visibilities },
    { name: 'book_count', type: 'number', writable: 'never' },
    { name: 'covers', type: 'json', writable: 'never' },
    { name: 'latest', type: 'json', writable: 'never' },
    created,
    updated,
    // Of how many books more only the owner knows.
    { name: 'private_count', type: 'number', readable: 'owner', writable: 'never' },
  ],
  rules: {
    list: shelfVisible,
    view: shelfVisible,
    create: `@request.auth.id != "" && ${own}`,
    update: own,
    delete: own,
  },
})

const bookVisible = `${own} || (isPrivate = false && shelf.visibility = "public" && ${ownerIsPublic})`
const userBooks = collection({
  name: 'user_books',
  trashLife,
  fields: [
    owner,
    { name: 'shelf', type: 'relation', collection: 'bookshelves', cascadeDelete: true },
    { name: 'title', type: 'text' },
    { name: 'authors', type: 'json', maxSize: 16_384 },
    { name: 'genres', type: 'json', maxSize: 16_384 },
    { name: 'page_count', type: 'number' },
    { name: 'isbn', type: 'text', max: 40 },
    { name: 'images', type: 'json', maxSize: 16_384 },
    { name: 'image', type: 'file', mimeTypes: images, thumbs: ['350x0', '100x0'] },
    { name: 'progress', type: 'number' },
    { name: 'progress_average', type: 'number', writable: 'never' },
    { name: 'rating', type: 'number' },
    { name: 'status', type: 'select', values: statuses },
    { name: 'book_key', type: 'text', readable: 'owner', writable: 'never' },
    created,
    updated,
    { name: 'progress_percent', type: 'number' },
    { name: 'tags', type: 'json', maxSize: 16_384 },
    { name: 'notes', type: 'text', max: 20_000, readable: 'owner' },
    { name: 'review', type: 'text', max: 20_000 },
    { name: 'review_spoilers', type: 'bool' },
    { name: 'format', type: 'select', values: formats },
    // Both in minutes, for audio.
    { name: 'duration', type: 'number' },
    { name: 'progress_minutes', type: 'number' },
    { name: 'isPrivate', type: 'bool', strict: true },
    // To others a gap would tell of a private book.
    { name: 'position', type: 'number', readable: 'owner' },
  ],
  rules: {
    list: bookVisible,
    view: bookVisible,
    // A book without a shelf passes, to be told at its field that it needs one.
    create: `@request.auth.id != "" && ${own} && (shelf = "" || shelf.user = @request.auth.id)`,
    update: own,
    delete: own,
  },
})

/** The free plan shows the newest entries; what is older is there again with premium. */
const withinPlan = (since: string) =>
  `(user.settings_via_user.${since} = "" || created >= user.settings_via_user.${since} || user.subscriptions_via_user.status = "active")`

function activities(planDefault: Plan) {
  const isLimited = Number.isFinite(plans[planDefault].activities)
  const within = (since: string) => (isLimited ? ` && ${withinPlan(since)}` : '')
  const mine = `${own}${within('activities_since')}`
  // To their owner the other clause says how far back.
  const others = `user != @request.auth.id && isPrivate = false && shelf.visibility = "public" && book.isPrivate = false && book.shelf.visibility = "public" && ${ownerIsPublic}`
  const visible = `(${mine}) || (${others}${within('activities_public_since')})`
  return collection({
    name: 'activities',
    trashLife,
    fields: [
      { name: 'event_type', type: 'select', values: activityEvents, writable: 'never' },
      { ...owner, writable: 'never' },
      { name: 'book', type: 'relation', collection: 'user_books', writable: 'never' },
      { name: 'shelf', type: 'relation', collection: 'bookshelves', writable: 'never' },
      { name: 'isPrivate', type: 'bool', strict: true },
      { name: 'data', type: 'json', writable: 'never' },
      created,
    ],
    rules: { list: visible, view: visible, create: null, update: mine, delete: mine },
  })
}

/**
 * Every collection of the product, with who may see and change what.
 *
 * @param signInCode whether a password alone doesn't sign in: a code is mailed
 */
export function createSchema(planDefault: Plan, signInCode = true): Schema {
  return new Schema([
    signInCode ? users : withoutCodes(users),
    profile,
    settings,
    subscriptions,
    bookshelves,
    userBooks,
    activities(planDefault),
    readings,
    progressLog,
    quotes,
    goals,
    importsCollection,
    importRows,
  ])
}

/** The same, for who asks about collections and fields alone: they are those of every plan. */
export const schema = createSchema('free')
