/**
 * Tries a password over and over, eight at a time, in a process of its own: who measures something
 * else meanwhile has nothing besides to do. For no account the same work is done as for a real one.
 * Arguments: the server's origin and how many seconds. Says that it begins, and at the end how many
 * were refused a second.
 */
import { burst, jsonRequest } from './load.ts'

const signingIn = 8

const [, , origin = '', seconds] = process.argv
const body = { identity: 'nobody@example.org', password: 'turns the page' }
const attempt = jsonRequest(
  'POST',
  new URL(`${origin}/api/collections/users/auth-with-password`),
  body,
)

console.log('signing in')
const refused = await burst(new URL(origin), signingIn, Number(seconds), () => attempt, 400)
console.log(refused.requests / refused.seconds)
