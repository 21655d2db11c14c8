import { customAlphabet } from 'nanoid'

const small = '0123456789abcdefghijklmnopqrstuvwxyz'

/** @returns as many of a-z and 0-9 as asked for, which nobody can guess */
export const randomText = customAlphabet(small)

/** @returns as many letters of both cases and digits as asked for, which nobody can guess */
export const randomKey = customAlphabet(small + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** @returns a new record id: 15 of a-z and 0-9 */
export const newId = () => randomText(15)
