/** The number of accounts to track. */
const maxAccounts = 10_000

/** When each account's records last changed, as far as this process knows. */
export class LastChanges {
  readonly #times = new Map<string, number>()
  /** No untracked account has changed after this time. */
  #others: number

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.#others = now
  }

  note(accounts: Iterable<string>, now: number): void {
    for (const account of accounts) {
      this.#times.delete(account)
      this.#times.set(account, now)
    }
    for (const [account, time] of this.#times) {
      if (this.#times.size <= maxAccounts) break
      this.#times.delete(account)
      this.#others = time
    }
  }

  /** Notes that any account's records may have changed. */
  noteAll(now: number): void {
    this.#times.clear()
    this.#others = now
  }

  /** @returns a time after which none of the account's records has changed */
  of(account: string): number {
    return this.#times.get(account) ?? this.#others
  }
}
