/** What a token may do: read, or also write. */
export const tokenScopes = ['read', 'write'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** The beginning of every token. */
export const tokenPrefix = 'oct_'

/** Days until a token ends that was made without a date. */
export const tokenDays = 365

/** The most tokens of one reader. */
export const maxTokens = 50

/** A key with which a program acts for a reader. */
export interface ApiToken {
  id: string
  user: string
  name: string
  scope: TokenScope
  /** The names of the collections that it is limited to; empty for none. */
  collections: string[]
  expires: string
  /** To the hour; '' until it is used. */
  last_used: string
  created: string
}

/** A token as the answer to its creation has it, which alone shows it. */
export interface NewApiToken extends ApiToken {
  token: string
}
