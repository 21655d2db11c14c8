/** How often something may be done. */
export interface LimitRule {
  /** Times within the window. */
  points: number
  /** Length of the window, from the first time on. */
  seconds: number
  /** Once it was tried more often, nothing more for so long; otherwise until the window ends. */
  lockout?: number
  /** What is more often is not refused but waits for so many milliseconds. */
  delay?: number
}

/** What is limited for one client address; all IPv6 addresses of one /64 are one. */
const perAddress = {
  /** Every call that no rule below is for. */
  api: { points: 300, seconds: 10 },
  /** Creating a record. */
  create: { points: 20, seconds: 5 },
  /** Records created in batches: a full one must pass. */
  batchCreate: { points: 150, seconds: 5 },
  batch: { points: 3, seconds: 1 },
  /**
   * Milliseconds that statements take, each like a request: a bucket that is filled up evenly. An
   * honest call takes one or two, so that of 300 in ten seconds each may take ten.
   */
  work: { points: 3000, seconds: 10 },
} satisfies Record<string, LimitRule>

/** What is limited for one account, from wherever. */
const perAccount = {
  accountWork: { points: 3000, seconds: 10 },
} satisfies Record<string, LimitRule>

/** What is counted in the database, for all processes together. */
const stored = {
  /** Wrong passwords for one account from one address. */
  password: { points: 5, seconds: 15 * 60 },
  /** Wrong passwords from one address. */
  passwordAddress: { points: 50, seconds: 15 * 60 },
  /** Wrong passwords for one account from everywhere; what is more waits, but is not refused. */
  passwordAccount: { points: 20, seconds: 3600, delay: 3000 },
  /** Wrong codes for one account. */
  code: { points: 20, seconds: 86_400, lockout: 86_400 },
  /** Accounts made from one address, and those refused because the name is taken. */
  signUp: { points: 5, seconds: 3600 },
  /** Sign-ups from one address that were refused, mostly after their password was hashed. */
  refusedSignUp: { points: 50, seconds: 15 * 60 },
  /** Tries from one address at names that are taken, for an account that is there. */
  rename: { points: 5, seconds: 3600 },
  /** Calls from one address that may send a mail. */
  mail: { points: 30, seconds: 15 * 60 },
} satisfies Record<string, LimitRule>

export const defaultRules = { ...perAddress, ...perAccount, ...stored }

export type InMemoryRule = Exclude<keyof typeof perAddress, 'work'>
export type StoredRule = keyof typeof stored

export type LimitRules = Readonly<Record<keyof typeof defaultRules, LimitRule>>
