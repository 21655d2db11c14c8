import { createHash, randomInt, timingSafeEqual } from 'node:crypto'

/** Lower-case letters and digits that can't be mistaken for each other on an e-reader's keyboard. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Sixteen of them hold 79 bits. */
const passwordLength = 16

/** @returns unguessable text that is easily typed */
export function randomTypable(length = passwordLength): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('')
}

/** @returns what KOReader sends in place of a password */
export function authKey(password: string): string {
  return createHash('md5').update(password).digest('hex')
}

/** @returns what is stored of a key. A random password needs no slow hash. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Compares a key with a stored hash in constant time. */
export function isKeyOf(hash: string, key: string): boolean {
  const [stored, sent] = [hash, hashKey(key)].map((text) => Buffer.from(text))
  return stored!.length === sent!.length && timingSafeEqual(stored!, sent!)
}
