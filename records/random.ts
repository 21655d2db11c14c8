import { customAlphabet } from 'nanoid'

const small = '0123456789abcdefghijklmnopqrstuvwxyz'

/** @returns unguessable text of the given length, from a-z and 0-9 */
export const randomText = customAlphabet(small)

/** @returns unguessable text of the given length, from letters of both cases and digits */
export const randomKey = customAlphabet(small + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** @returns a new record id: 15 characters from a-z and 0-9 */
export const newId = () => randomText(15)
