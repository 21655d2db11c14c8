import { createContext } from 'react'

/** The nonce of this answer's inline scripts; empty in the browser, where none is made. */
export const NonceContext = createContext('')
