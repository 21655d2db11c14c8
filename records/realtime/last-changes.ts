/** Accounts that are remembered. */
const maxAccounts = 10_000

/** When the records of each account last changed, as far as this process has seen. */
export class LastChanges {
  readonly #times = new Map<string, number>()
  /** No account that isn't remembered has changed after this time. */
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

  /** Any account's records may have changed. */
  noteAll(now: number): void {
    this.#times.clear()
    this.#others = now
  }

  /** @returns a time after which nothing of the account's has changed */
  of(account: string): number {
    return this.#times.get(account) ?? this.#others
  }
}
