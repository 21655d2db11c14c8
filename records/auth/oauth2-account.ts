import type { RequestInfo } from '../access/request.ts'
import { UniqueError } from '../database/database.ts'
import { ApiError } from '../errors.ts'
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
import { addExternalAuth, deleteExternalAuths, findExternalAuth } from './external-auths.ts'
import type { AccountDeps } from './mail-links.ts'
import type { ProviderAccount } from './oauth2-provider.ts'
import { verifyEmail } from './verification.ts'

/** What a client may say about an account that is about to be made; the address is the provider's. */
const creatable = ['username', 'name']

interface OAuth2SignIn {
  collection: Collection
  /** Who came back from the provider. */
  providerAccount: ProviderAccount
  /** Its body may hold `createData`; a viewer links the provider's account to their own. */
  request: RequestInfo
  /** The only account to sign in to; '' for any, a new one too. */
  account: string
  /** The hash of a password nobody knows. */
  password: string
}

/**
 * Whether there is an account for who came back: tied to them, signed in, or with their address. A
 * look beforehand, which holds nothing.
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
 * The account that somebody from a provider signs in to: the one they are tied to, else their own
 * if they are signed in, else the one with their address, else a new one.
 *
 * @throws ApiError 400 if a new account is refused or another one is meant, 403 if there may be none
 * @throws UniqueError if another request was first, or the account has another one at this provider
 */
export async function findOrCreateAccount(
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
  // Before anything is made or tied: who meant another account must find none of this one's traces.
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

function otherAccount(): ApiError {
  return new ApiError(400, 'Failed to authenticate.', {
    account: {
      code: 'validation_values_mismatch',
      message: 'That was another account. Sign in with the one you were using.',
    },
  })
}

/**
 * Nobody has proved yet to own the account's address, and now somebody has: whoever made the
 * account keeps no way into it, be it password, link, session or half a sign-in.
 */
async function takeOver(
  tx: WriteContext,
  { collection, password }: OAuth2SignIn,
  account: StoredRecord,
  isOwn: boolean,
): Promise<StoredRecord> {
  if (isOwn) return verifyEmail(tx, collection, account)
  await deleteExternalAuths(tx, account.id)
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
    throw new ApiError(400, 'Failed to create record.')
  const after = { ...record, password, verified: true }
  return save(tx, { action: 'create', collection, before: null, after, request: asked })
}

/** What the client says of a new account, by name. */
function createDataOf({ body }: RequestInfo): Readonly<Record<string, unknown>> {
  const said = body['createData']
  return typeof said === 'object' && said !== null ? { ...said } : {}
}

/** What is no field is not stored, but the application's hooks and rules may ask for it. */
function unknownData({ fields }: Collection, request: RequestInfo): Record<string, unknown> {
  const isField = (name: string) => fields.some((field) => field.name === name)
  const said = Object.entries(createDataOf(request))
  return Object.fromEntries(said.filter(([name]) => /^\w+$/.test(name) && !isField(name)))
}

/** The client's word, and the provider's name for who said nothing, if it will do. */
function createData(
  collection: Collection,
  providerAccount: ProviderAccount,
  request: RequestInfo,
): Record<string, string> {
  const said = createDataOf(request)
  const body: Record<string, string> = {}
  for (const name of creatable) {
    const value = Object.hasOwn(said, name) ? said[name] : ''
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
 * Runs the work again if another request made the same account or link first: it is there now.
 *
 * @throws ApiError 400 if it still cannot be made, and what else the work throws
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
