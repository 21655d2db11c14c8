import { createContext } from 'react'

/** The nonce for this response's inline scripts; empty in the browser. */
export const NonceContext = createContext('')
