import { ApiError, isFieldError, type FieldErrors } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import { errors } from '../schema/validate.ts'
import type { Attempt } from './index.ts'

/**
 * A sign-in by password. It counts for the address and the account that were typed, whether or not
 * there is such an account, and no longer once the password was right.
 */
export function passwordAttempts(network: string, account: string): Attempt[] {
  if (!network) return []
  const counts = isRefused
  return [
    { rule: 'password', who: [account.trim().toLowerCase(), network], counts },
    { rule: 'passwordAddress', who: [network], counts },
    { rule: 'passwordAccount', who: [account.trim().toLowerCase()], counts },
  ]
}

/**
 * A visit of somebody who may be new, by way of a provider.
 *
 * @param isNew asked afterwards: whether it made an account
 */
export function oauth2SignUpAttempts(network: string, isNew: () => boolean): Attempt[] {
  return network ? [{ rule: 'signUp', who: [network], counts: isNew }] : []
}

/** A mailed code that is tried for an account, wherever from. */
export function codeAttempts(account: string, onLockout: (wait: number) => void): Attempt[] {
  return [{ rule: 'code', who: [account], counts: isRefused, onLockout }]
}

/** A call that may send a mail. */
export function mailAttempts(network: string): Attempt[] {
  return network ? [{ rule: 'mail', who: [network], counts: () => true }] : []
}

/** A write of a record, as far as limits ask about it. */
interface Write {
  collection: Collection | undefined
  action: string
  id: string
  body: Readonly<Record<string, unknown>>
}

/**
 * What writes of accounts count as: a sign-up, made or refused, a try whether a name is taken, a try
 * at the old password. Writes of other collections are limited by their number alone.
 */
export function writeAttempts(network: string, writes: readonly Write[]): Attempt[] {
  if (!network) return []
  const ofAccounts = writes.filter(({ collection }) => collection?.type === 'auth')
  const tries = ofAccounts
    .filter(({ action, body }) => action !== 'POST' && body['oldPassword'])
    .map(({ id, body }): Attempt => ({
      rule: 'password',
      // A PUT names the account in its body.
      who: [id || String(body['id']), network],
      counts: (error) => codesOf(error).has(errors.oldPassword.code),
    }))
  const names = ofAccounts.flatMap(({ collection, action, body }): Attempt[] => {
    const isTaken = (error: unknown) => codesOf(error).has(errors.notUnique.code)
    if (action !== 'PATCH')
      return [
        { rule: 'refusedSignUp', who: [network], counts: isMistake },
        { rule: 'signUp', who: [network], counts: (error) => !error || isTaken(error) },
      ]
    return namesSomebody(collection!, body)
      ? [{ rule: 'rename', who: [network], counts: isTaken }]
      : []
  })
  return [...tries, ...names].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** The same order everywhere, so that two requests that count the same never wait for each other. */
function sortKey({ rule, who }: Attempt): string {
  return `${rule} ${who.join(' ')}`
}

/** Whether the body holds what only one account can have. */
function namesSomebody(collection: Collection, body: Write['body']): boolean {
  return collection.unique.flat().some((name) => name !== 'id' && Object.hasOwn(body, name))
}

/** An answer that tells nothing of the account, such as a failure of ours, is no try at it. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400
}

/** Whatever is the caller's own: a form with a mistake, or an account that may not be made. */
function isMistake(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}

/** The codes of an error's fields, however deep inside a batch's error they are. */
function codesOf(error: unknown): Set<string> {
  const found = new Set<string>()
  const collect = (data: FieldErrors) => {
    for (const one of Object.values(data))
      if (isFieldError(one)) {
        found.add(one.code)
        if (one.response) collect(one.response.data)
      } else collect(one)
  }
  if (error instanceof ApiError) collect(error.data)
  return found
}
