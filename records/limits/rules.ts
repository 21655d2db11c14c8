/** How often something may be done. */
export interface LimitRule {
  /** How many times within the window. */
  points: number
  /** Length of the window, which starts with the first time. */
  seconds: number
  /**
   * Seconds for which further attempts are refused once the limit is exceeded. By default, until
   * the window ends.
   */
  lockout?: number
  /** Milliseconds by which attempts beyond the limit are delayed, instead of being refused. */
  delay?: number
}

/** Limits for one client address; all IPv6 addresses of a /64 count as one. */
const perAddress = {
  /** Requests without a rule of their own: no client keeps others from being answered (R43). */
  api: { points: 300, seconds: 10 },
  /** Creating a record, which costs more than reading one (R43). */
  create: { points: 20, seconds: 5 },
  /** Records created in batches: those are no way round `create` (R43). A full batch must pass. */
  batchCreate: { points: 150, seconds: 5 },
  /** Batches, each of which holds its account's other writes up (R43). */
  batch: { points: 3, seconds: 1 },
  /**
   * Milliseconds of statements, as a token bucket that refills evenly: clients are limited by the
   * work they cause (R43). A normal call takes one or two, so 300 calls in ten seconds may take ten
   * each.
   */
  work: { points: 3000, seconds: 10 },
} satisfies Record<string, LimitRule>

/** Limits for one account, across all addresses. */
const perAccount = {
  /** The same work from many networks (R43). */
  accountWork: { points: 3000, seconds: 10 },
} satisfies Record<string, LimitRule>

/** Limits counted in the database, for all processes together and across restarts (R38). */
const stored = {
  /** Wrong passwords for one account from one address. */
  password: { points: 5, seconds: 15 * 60 },
  /** Wrong passwords from one address. */
  passwordAddress: { points: 50, seconds: 15 * 60 },
  /**
   * Wrong passwords for one account from all addresses. Further attempts are delayed, not refused.
   */
  passwordAccount: { points: 20, seconds: 3600, delay: 3000 },
  /** Wrong codes for one account (R33). */
  code: { points: 20, seconds: 86_400, lockout: 86_400 },
  /** Accounts created from one address, which a family or a club may share. */
  signUp: { points: 30, seconds: 3600 },
  /**
   * Sign-ups from one address that are refused because an email or a username is taken, which tells
   * who has an account.
   */
  takenSignUp: { points: 5, seconds: 3600 },
  /** Refused sign-ups from one address, most of which cost a password hash. */
  refusedSignUp: { points: 50, seconds: 15 * 60 },
  /** Attempts from one address to rename an account to a taken name. */
  rename: { points: 5, seconds: 3600 },
  /** Calls from one address that may send a mail, so that nobody's mailbox is flooded (R38). */
  mail: { points: 30, seconds: 15 * 60 },
} satisfies Record<string, LimitRule>

export const defaultRules = { ...perAddress, ...perAccount, ...stored }

export type InMemoryRule = Exclude<keyof typeof perAddress, 'work'>
export type StoredRule = keyof typeof stored

export type LimitRules = Readonly<Record<keyof typeof defaultRules, LimitRule>>
