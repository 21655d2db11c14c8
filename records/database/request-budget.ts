import { AsyncLocalStorage } from 'node:async_hooks'

/** Who is charged for what the database does for one request and all that it calls in the process. */
export interface RequestBudget {
  /** As limits count it. */
  readonly network: string
  /**
   * From now on this account pays, too.
   *
   * @throws ApiError 429 if it has nothing left to pay with
   */
  setAccount(account: string): void
  /** @param milliseconds that a statement took, on whichever thread */
  charge(milliseconds: number): void
  /** @throws ApiError 429 if there is nothing left to pay with */
  refuseIfSpent(): void
}

const budgets = new AsyncLocalStorage<RequestBudget | undefined>()

/** @returns who pays for the statements that run now; undefined for those of the process itself */
export function currentBudget(): RequestBudget | undefined {
  return budgets.getStore()
}

/**
 * For work that the application has done elsewhere, such as in threads of its own.
 *
 * @returns what to tell how many milliseconds it took, now or later; undefined where nobody pays
 */
export function meter(): ((milliseconds: number) => void) | undefined {
  const payer = currentBudget()
  return payer && ((milliseconds) => payer.charge(milliseconds))
}

/** @param payer undefined for what the process does for everybody */
export function withBudget<T>(payer: RequestBudget | undefined, work: () => T): T {
  return budgets.run(payer, work)
}
