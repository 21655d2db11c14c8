/**
 * Searches over and over, four at a time, in a process of its own: who measures something else
 * meanwhile has nothing besides to do. Arguments: the server's origin, how many seconds, and a name
 * that makes its questions new. Says that it begins, and at the end how many were answered a second.
 */
import { setPriority } from 'node:os'
import { burst, get } from './load.ts'
import { searchPath } from './search-questions.ts'

const searching = 4

const [, , origin = '', seconds, name = ''] = process.argv
let asked = 0

function next(): Buffer {
  asked += 1
  return get(new URL(origin + searchPath(asked, name)))()
}

// Readers sit at other machines: what asks leaves the processors to what answers.
setPriority(10)
console.log('searching')
const answered = await burst(new URL(origin), searching, Number(seconds), next)
console.log(answered.requests / answered.seconds)
