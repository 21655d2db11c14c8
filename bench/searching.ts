/**
 * Searches over and over, four at a time, in a process of its own: who measures something else
 * meanwhile has nothing besides to do. Arguments: the server's origin, how many seconds, and a name
 * that makes its questions new. Says that it begins, and at the end how many were answered a second.
 */
import { burst, getRequest } from './load.ts'

const searching = 4

/** Most are mistyped, which takes the longest to answer; each is asked for once. */
const titles = ['pride and predjudice', 'the grate gatzby', 'wuthering hights', 'huckelberry fin']
const words = ['love', 'the', 'history of', 'war', 'stories from']

const [, , origin = '', seconds, name] = process.argv
let asked = 0

function next(): Buffer {
  asked += 1
  const text = `${words[asked % words.length]} ${titles[asked % titles.length]} ${name}${asked}`
  return getRequest(new URL(`${origin}/api/v1/book-info/search?q=${encodeURIComponent(text)}`))()
}

console.log('searching')
const answered = await burst(new URL(origin), searching, Number(seconds), next)
console.log(answered.requests / answered.seconds)
