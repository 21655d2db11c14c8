import { ApiError, isFieldError, type FieldErrors } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import { storedEmail } from '../schema/email-url.ts'
import { errors } from '../schema/validate.ts'
import type { Attempt } from './index.ts'

/**
 * A sign-in by password. It counts for the network and for the account as typed, whether or not it
 * exists, and is refunded if the password was right.
 */
export function passwordAttempts(network: string, account: string): Attempt[] {
  if (!network) return []
  const counts = isRefused
  // However the domain is written.
  const name = storedEmail(account.trim()).toLowerCase()
  return [
    { rule: 'password', who: [name, network], counts },
    { rule: 'passwordAddress', who: [network], counts },
    { rule: 'passwordAccount', who: [name], counts },
  ]
}

/**
 * A sign-in with a provider that may create an account.
 *
 * @param isNew called afterwards: whether it created an account
 */
export function oauth2SignUpAttempts(network: string, isNew: () => boolean): Attempt[] {
  return network ? [{ rule: 'signUp', who: [network], counts: isNew }] : []
}

/** An attempt at an account's mailed code, from any network. */
export function codeAttempts(account: string, onLockout: (wait: number) => void): Attempt[] {
  return [{ rule: 'code', who: [account], counts: isRefused, onLockout }]
}

/** A sign-in with a passkey, whose account is known only once it was accepted. */
export function passkeyAttempts(network: string): Attempt[] {
  return network ? [{ rule: 'passwordAddress', who: [network], counts: isRefused }] : []
}

/** A call that may send a mail. */
export function mailAttempts(network: string): Attempt[] {
  return network ? [{ rule: 'mail', who: [network], counts: () => true }] : []
}

/** The parts of a write that limits depend on. */
interface Write {
  collection: Collection | undefined
  action: string
  id: string
  body: Readonly<Record<string, unknown>>
}

/**
 * Returns the attempts that writes to accounts count as: sign-ups, refused sign-ups, attempts at
 * finding taken names, and attempts at the old password. Writes to other collections are only
 * limited in number.
 */
export function writeAttempts(network: string, writes: readonly Write[]): Attempt[] {
  if (!network) return []
  const ofAccounts = writes.filter(({ collection }) => collection?.type === 'auth')
  const tries = ofAccounts
    .filter(({ action, body }) => action !== 'POST' && body['oldPassword'])
    .map(({ id, body }): Attempt => ({
      rule: 'password',
      // A batch's PUT names the account in its body.
      who: [id || String(body['id']), network],
      counts: (error) => codesOf(error).has(errors.oldPassword.code),
    }))
  const names = ofAccounts.flatMap(({ collection, action, body }): Attempt[] => {
    const isTaken = (error: unknown) => codesOf(error).has(errors.notUnique.code)
    if (action !== 'PATCH')
      return [
        { rule: 'refusedSignUp', who: [network], counts: isMistake },
        { rule: 'signUp', who: [network], counts: (error) => !error },
        { rule: 'takenSignUp', who: [network], counts: isTaken },
      ]
    return namesSomebody(collection!, body)
      ? [{ rule: 'rename', who: [network], counts: isTaken }]
      : []
  })
  return [...tries, ...names].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** A fixed order, so that requests with the same counters can't deadlock. */
function sortKey({ rule, who }: Attempt): string {
  return `${rule} ${who.join(' ')}`
}

/** Whether the body sets a unique field. */
function namesSomebody(collection: Collection, body: Write['body']): boolean {
  return collection.unique.flat().some((name) => name !== 'id' && Object.hasOwn(body, name))
}

/**
 * Other errors, such as failures of the server, reveal nothing about the account and don't count.
 */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400
}

/** Whether the error is the client's: an invalid form, or an account that isn't allowed. */
function isMistake(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}

/** The codes of an error's fields, including those nested in a batch's error. */
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
