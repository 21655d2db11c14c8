import type { RequestInfo } from '../filter/request.ts'
import { UniqueError } from '../database/database.ts'
import { ApiError, failedTo } from '../errors.ts'
import { allowsNew, type QuerySource } from '../read/read.ts'
import { lockRow } from '../write/rows.ts'
import { applyBody, coerce, emptyRecord } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import type { Field, TextField } from '../schema/field.ts'
import { isEmail } from '../schema/email-url.ts'
import { validate } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'
import { save } from '../write/save.ts'
import type { WriteContext } from '../write/context.ts'
import { emailField, findAccount, readAccount } from './account.ts'
import { addExternalAuth, findExternalAuth, touchExternalAuth } from './external-auths.ts'
import type { AccountDeps } from './mail-links.ts'
import type { ProviderAccount } from './oauth2-provider.ts'
import { otherAccount } from './other-account.ts'
import { verifyEmail } from './verification.ts'
import { deleteGivenAccess, deleteWaysIn } from './ways-in.ts'

/** Fields a client may set on a new account; the email always comes from the provider. */
const creatable = ['username', 'name']

interface OAuth2SignIn {
  collection: Collection
  /** The provider's account that signs in. */
  providerAccount: ProviderAccount
  /**
   * Its body may hold `createData`. If there is a viewer, the provider's account is linked to
   * theirs.
   */
  request: RequestInfo
  /** The only account to sign in to; '' for any, including a new one. */
  account: string
  /** The hash of a password nobody knows. */
  password: string
}

/**
 * Whether an account exists for this sign-in: one that is linked, signed in, or has the same email.
 * Only a preliminary check, as it locks nothing.
 */
export async function hasAccount(
  db: QuerySource,
  { collection, providerAccount, request }: OAuth2SignIn,
): Promise<boolean> {
  if (request.viewer?.collectionId === collection.id) return true
  const external = { provider: providerAccount.provider.name, providerId: providerAccount.subject }
  if ((await findExternalAuth(db, collection, external)) !== undefined) return true
  return (await readAccount(db, collection, providerAccount.email)) !== null
}

/**
 * The account to sign in to: the linked one, else the viewer's own, else the one with the same
 * email, else a new one.
 *
 * @throws ApiError 400 if a new account is refused or a different one was expected, 403 if the
 *   collection allows no sign-ups
 * @throws UniqueError if another request was first, or if the account is already linked to another
 *   one at this provider
 */
export async function findOrCreateAccount(
  tx: WriteContext,
  deps: AccountDeps,
  signIn: OAuth2SignIn,
): Promise<{ record: StoredRecord; isNew: boolean }> {
  const found = await findOrCreate(tx, deps, signIn)
  const { provider, subject: providerId } = signIn.providerAccount
  const external = { provider: provider.name, providerId }
  await touchExternalAuth(tx, signIn.collection, external, tx.core.now().getTime())
  return found
}

async function findOrCreate(
  tx: WriteContext,
  deps: AccountDeps,
  signIn: OAuth2SignIn,
): Promise<{ record: StoredRecord; isNew: boolean }> {
  const { collection, providerAccount, request } = signIn
  const email = String(coerce(emailField(collection), providerAccount.email))
  if (!isEmail(email)) throw new ApiError(400, 'Failed to authenticate.')
  const external = { provider: providerAccount.provider.name, providerId: providerAccount.subject }
  const tied = await findExternalAuth(tx, collection, external)
  const linked = tied === undefined ? null : await lockRow(tx, collection, tied, 'update')
  // Checked before anything is created or linked, so that a sign-in meant for another account
  // changes nothing.
  const refuseOther = (record: StoredRecord | null) => {
    if (signIn.account && record?.id !== signIn.account) throw otherAccount()
  }
  if (linked) refuseOther(linked)
  if (linked && (linked['verified'] || linked['email'] !== email))
    return { record: linked, isNew: false }

  const { viewer } = request
  const own =
    !linked && viewer?.collectionId === collection.id
      ? await lockRow(tx, collection, viewer.id, 'update')
      : null
  const found = linked ?? own ?? (await findAccount(tx, collection, email))
  refuseOther(found)
  const link = (record: StoredRecord) =>
    addExternalAuth(tx, collection, record.id, external, tx.core.now().getTime())
  if (!found) {
    const record = await create(tx, signIn, email)
    await link(record)
    return { record, isNew: true }
  }
  if (!found['verified'] && found['email'] === email) {
    const record = await takeOver(tx, signIn, found, found === own)
    await link(record)
    return { record, isNew: false }
  }
  await link(found)
  tx.afterCommit(() =>
    deps.mail({
      kind: 'linked',
      to: String(found['email']),
      collection: collection.name,
      record: found,
      provider: providerAccount.provider.displayName,
    }),
  )
  return { record: found, isNew: false }
}

/**
 * Verifies an account whose address nobody had proved to own until now. Whoever created it loses
 * every way in: password, links, sessions, half-done sign-ins, and what else gives access.
 */
async function takeOver(
  tx: WriteContext,
  { collection, password }: OAuth2SignIn,
  account: StoredRecord,
  isOwn: boolean,
): Promise<StoredRecord> {
  if (isOwn) return verifyEmail(tx, collection, account)
  await deleteWaysIn(tx, account.id)
  await deleteGivenAccess(tx, collection, account.id)
  const after = { ...account, password, verified: true, tokenKey: '' }
  return save(tx, { action: 'update', collection, before: account, after, request: null })
}

async function create(
  tx: WriteContext,
  signIn: OAuth2SignIn,
  email: string,
): Promise<StoredRecord> {
  const { collection, providerAccount, password, request } = signIn
  const rule = collection.rules.create
  if (rule === null) throw new ApiError(403, 'Only superusers can perform this action.')
  const body = { ...createData(collection, providerAccount, request), email }
  const { record } = applyBody(emptyRecord(collection.fields), collection.fields, body)
  const asked: RequestInfo = {
    ...request,
    body: { ...unknownData(collection, request), ...body },
    viewer: null,
  }
  if (!(await allowsNew(tx, tx.core.schema, collection, rule, record, asked)))
    throw new ApiError(400, failedTo.create)
  const after = { ...record, password, verified: true }
  return save(tx, { action: 'create', collection, before: null, after, request: asked })
}

/** The client's `createData` for a new account. */
function createDataOf({ body }: RequestInfo): Readonly<Record<string, unknown>> {
  const data = body['createData']
  return typeof data === 'object' && data !== null ? { ...data } : {}
}

/**
 * Keys of `createData` that aren't fields. They aren't stored, but hooks and rules may use them.
 */
function unknownData({ fields }: Collection, request: RequestInfo): Record<string, unknown> {
  const isField = (name: string) => fields.some((field) => field.name === name)
  const entries = Object.entries(createDataOf(request))
  return Object.fromEntries(entries.filter(([name]) => /^\w+$/.test(name) && !isField(name)))
}

/** The client's values, with the provider's name as the default if it is valid. */
function createData(
  collection: Collection,
  providerAccount: ProviderAccount,
  request: RequestInfo,
): Record<string, string> {
  const data = createDataOf(request)
  const body: Record<string, string> = {}
  for (const name of creatable) {
    const value = Object.hasOwn(data, name) ? data[name] : ''
    const field = collection.fields.find((one) => one.name === name)
    if (isSettable(field) && typeof value === 'string' && value) body[name] = value
  }
  const field = collection.fields.find(({ name }) => name === 'name')
  if (body['name'] === undefined && isSettable(field)) {
    const name = [...providerAccount.name].slice(0, field.max || 100).join('')
    const isFine = !Object.keys(validate(collection, { id: '', name }, new Set(['name']))).length
    if (isFine) body['name'] = name
  }
  return body
}

function isSettable(field: Field | undefined): field is TextField {
  return field?.type === 'text' && field.writable !== 'never' && field.readable !== 'nobody'
}

/**
 * Runs the work again if another request created the same account or link first.
 *
 * @throws ApiError 400 if the retry conflicts too, or what the work throws
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isOvertaken(error)) throw error
      if (attempt === 2) throw new ApiError(400, 'Failed to authenticate.', {}, error)
    }
  }
}

function isOvertaken(error: unknown): boolean {
  if (error instanceof UniqueError) return true
  const email = error instanceof ApiError ? error.data['email'] : undefined
  return email?.code === 'validation_not_unique'
}
