import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import {
  ApiError,
  type Database,
  type FileStorage,
  formatDate,
  newId,
  temporaryFolder,
} from '#records/index.ts'
import { deviceFiles } from '#server/collections/connections.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { LibraryRecords, LibraryTransaction } from '#server/collections/stored.ts'
import { isKnownVersion, isMeantVersion } from '#server/http/known-version.ts'
import { checkRoom } from '#server/import/disk-room.ts'
import { ImportError } from '#server/import/import-error.ts'
import { readDavPath } from './dav-path.ts'
import {
  fileAt,
  filesOf,
  hasRoom,
  isRead,
  missingFolders,
  rootFolder,
  type DeviceFile,
} from './device-files.ts'
import { multistatus } from './multistatus.ts'
import { authKey } from './password.ts'
import type { SignedIn, SignIn } from './sign-in.ts'
import { touch } from './store-push.ts'

const root = '/dav'
const methods = 'OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, PROPFIND'

/** What is refused, as the status and what it says. */
const refusals = {
  unauthorized: [401, 'Sign in with the username and password of a connection.'],
  paused: [403, 'This connection is paused.'],
  tooMany: [429, 'Too many requests. Try again later.'],
  badPath: [400, 'This path can’t be used.'],
  inPart: [400, 'Send the whole file.'],
  cutOff: [400, 'The file didn’t arrive.'],
  missing: [404, 'Not found.'],
  notAllowed: [405, 'This can’t be done here.'],
  infinite: [403, 'Set Depth to 0 or 1.'],
  inFile: [409, 'A file can’t hold other files.'],
  changed: [412, 'The file has been changed.'],
  notKept: [415, 'This kind of file isn’t kept here.'],
  full: [507, 'There is no room for this.'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>

/** How often a job tries to read a file, should it not come to an end. */
const tries = 10

type Env = { Variables: { connection: SignedIn; path: string } }

interface DavDeps {
  database: Database
  records: Pick<LibraryRecords, 'write' | 'storeUploads'>
  storage: Pick<FileStorage, 'read'>
  /** The folder for files while they arrive. */
  folder: string
  signIn: SignIn
  /** Called when there is a file to read. */
  wake: () => void
  now?: (() => Date) | undefined
}

/**
 * The WebDAV that KOReader's cloud storage uses. The files are the reader's: all of their connections
 * see the same. A connection's username and password open nothing else.
 */
export function davRoutes(deps: DavDeps): Hono<Env> {
  return new Hono<Env>()
    .on('OPTIONS', '*', (c) => c.body(null, 200, { DAV: '1', Allow: methods }))
    .use(requireConnection(deps))
    .get('*', (c) => getFile(c, deps))
    .put('*', (c) => putFile(c, deps))
    .delete('*', (c) => deleteFile(c, deps))
    .on('MKCOL', '*', (c) => makeFolder(c, deps))
    .on('PROPFIND', '*', (c) => listFiles(c, deps))
    .all('*', (c) => refuse(c, 'notAllowed'))
}

function refuse(c: Context, why: keyof typeof refusals): Response {
  const [status, message] = refusals[why]
  if (status === 401) c.header('WWW-Authenticate', 'Basic realm="Octavo", charset="UTF-8"')
  if (status === 405) c.header('Allow', methods)
  return c.text(`${message}\n`, status)
}

/** Lets only connections through, and sets `connection` and `path`. */
function requireConnection({ records, signIn, now = () => new Date() }: DavDeps) {
  return createMiddleware<Env>(async (c, next) => {
    const sent = basicCredentials(c.req.header('authorization') ?? '')
    const connection = sent ? await signIn(c, { kind: 'koreader', ...sent }) : 'unauthorized'
    if (typeof connection === 'string') return refuse(c, connection)
    const path = readDavPath(c.req.url, root)
    if (path === null) return refuse(c, 'badPath')
    c.set('connection', connection)
    c.set('path', path)
    await records.write((tx) => touch(tx, connection.id, now()))
    return next()
  })
}

function basicCredentials(header: string): { username: string; key: string } | null {
  const [scheme = '', encoded = ''] = header.split(' ')
  if (scheme.toLowerCase() !== 'basic') return null
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  return { username, key: authKey(rest.join(':')) }
}

async function getFile(c: Context<Env>, { database, storage }: DavDeps): Promise<Response> {
  const found = await fileAt(database, c.get('connection').user, c.get('path'))
  // Without an ETag, the device then sends its own file whatever is here.
  if (!found || found.isWithheld) return refuse(c, 'missing')
  if (found.isFolder) return refuse(c, 'notAllowed')
  const etag = `"${found.hash}"`
  const headers = {
    'Cache-Control': 'private, no-store',
    'Content-Disposition': 'attachment',
    'Content-Length': String(found.size),
    'Content-Type': 'application/octet-stream',
    ETag: etag,
    'Last-Modified': found.modified.toUTCString(),
  }
  if (isKnownVersion(c.req.header('if-none-match'), etag)) return c.body(null, 304, { ETag: etag })
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const content = await storage.read(`${deviceFiles.id}/${found.id}/${found.file}`)
  return content ? c.body(content, 200, headers) : refuse(c, 'missing')
}

/** @returns whether a request was made for another version of the file, or for none */
function isOutdated(c: Context, file: DeviceFile | null): boolean {
  const match = c.req.header('if-match')
  if (!file) return match !== undefined
  const etag = `"${file.hash}"`
  if (match !== undefined && !isMeantVersion(match, etag)) return true
  return isKnownVersion(c.req.header('if-none-match'), etag)
}

/** A withheld file doesn't exist for a device, and yields to the one that it sends. */
const shown = (found: DeviceFile | null) => (found?.isWithheld ? null : found)

async function putFile(c: Context<Env>, deps: DavDeps): Promise<Response> {
  const { database, records, folder, wake, now = () => new Date() } = deps
  const [{ id: connection, user }, path] = [c.get('connection'), c.get('path')]
  const before = await fileAt(database, user, path)
  if (before?.isFolder) return refuse(c, 'notAllowed')
  if (isOutdated(c, shown(before))) return refuse(c, 'changed')
  // A part in place of the file would lose the rest.
  if (c.req.header('content-range')) return refuse(c, 'inPart')
  const arrived = await receive(c.req.raw.body, folder).catch(reasonOf)
  if (typeof arrived === 'string') return refuse(c, arrived)
  await using received = arrived
  const { blob, hash } = received
  const id = before?.id ?? newId()
  const sent = { file: new File([blob], basename(path)) }
  const stored = await records
    .storeUploads('device_files', id, { account: user, sent })
    .catch(ifRefused(null))
  if (!stored) return refuse(c, 'notKept')
  const modified = formatDate(now())
  const values = {
    connection,
    size: blob.size,
    hash,
    modified,
    withheld: false,
    tries: isRead(path) ? tries : 0,
  }
  const answer = await records
    .write(async (tx) => {
      await lockReader(tx, user)
      if (!(await tx.find('connections', connection))) return 'unauthorized'
      const current = await fileAt(tx, user, path)
      // Another device has been faster.
      if (current?.id !== before?.id || current?.file !== before?.file) return 'changed'
      if (current) await tx.update('device_files', id, values, stored)
      else {
        const refusal = await createFolders(tx, user, path, 1)
        if (refusal) return refusal
        await tx.create('device_files', { id, user, path, ...values }, stored)
      }
      return null
    })
    .catch(ifRefused('full' as const))
  if (answer) return refuse(c, answer)
  if (isRead(path)) wake()
  return c.body(null, before ? 204 : 201, { ETag: `"${hash}"` })
}

/** Writes a body to a file of its own. @returns null without a body */
async function receive(body: ReadableStream<Uint8Array> | null, within: string) {
  const folder = await temporaryFolder(within, 'dav')
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'file')
  const hash = createHash('sha256')
  const source = body ? Readable.from(body) : Readable.from([])
  try {
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      checkRoom(folder),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    )
    return {
      blob: await openAsBlob(path),
      hash: hash.digest('hex'),
      [Symbol.asyncDispose]: remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** @returns why a file couldn't be received. @throws an error of our own */
function reasonOf(error: unknown): 'full' | 'cutOff' {
  if (error instanceof ImportError) return 'full'
  // The device has gone away, as it does when it falls asleep.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return 'cutOff'
  throw error
}

/** @returns a handler with the answer for a file that the record service refuses */
function ifRefused<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ApiError && error.status === 400) return answer
    throw error
  }
}

/**
 * Creates the folders that a path is in, as a device may expect them.
 *
 * @param more what else will be created
 * @returns why they can't be
 */
async function createFolders(
  tx: LibraryTransaction,
  user: string,
  path: string,
  more: number,
): Promise<'inFile' | 'full' | null> {
  const missing = await missingFolders(tx, user, path)
  if (!missing) return 'inFile'
  if (!(await hasRoom(tx, user, missing.length + more))) return 'full'
  for (const folder of missing) await tx.create('device_files', { user, path: folder })
  return null
}

async function makeFolder(c: Context<Env>, { records }: DavDeps): Promise<Response> {
  const [{ user }, path] = [c.get('connection'), c.get('path')]
  const refusal = await records.write(async (tx) => {
    await lockReader(tx, user)
    if (await fileAt(tx, user, path)) return 'notAllowed'
    const failure = await createFolders(tx, user, path, 1)
    if (!failure) await tx.create('device_files', { user, path })
    return failure
  })
  return refusal ? refuse(c, refusal) : c.body(null, 201)
}

async function deleteFile(c: Context<Env>, { records }: DavDeps): Promise<Response> {
  const [{ user }, path] = [c.get('connection'), c.get('path')]
  if (path === '') return refuse(c, 'notAllowed')
  const refusal = await records.write(async (tx) => {
    await lockReader(tx, user)
    const found = await fileAt(tx, user, path)
    if (!found) return 'missing'
    if (isOutdated(c, shown(found))) return 'changed'
    const inside = (await filesOf(tx, user)).filter((one) => one.path.startsWith(`${path}/`))
    for (const { id } of [found, ...inside]) await tx.delete('device_files', id)
    return null
  })
  return refusal ? refuse(c, refusal) : c.body(null, 204)
}

async function listFiles(c: Context<Env>, { database }: DavDeps): Promise<Response> {
  const depth = c.req.header('depth')
  if (depth !== '0' && depth !== '1') return refuse(c, 'infinite')
  const path = c.get('path')
  const files = await filesOf(database, c.get('connection').user)
  const all = [rootFolder, ...files.filter(({ isWithheld }) => !isWithheld)]
  const found = all.find((file) => file.path === path)
  if (!found) return refuse(c, 'missing')
  const start = path && `${path}/`
  const isInside = (file: DeviceFile) =>
    file.path !== path &&
    file.path.startsWith(start) &&
    !file.path.slice(start.length).includes('/')
  const inside = depth === '1' && found.isFolder ? all.filter(isInside) : []
  c.header('Content-Type', 'application/xml; charset=utf-8')
  return c.body(multistatus(root, [found, ...inside]), 207)
}
