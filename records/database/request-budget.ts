import { AsyncLocalStorage } from 'node:async_hooks'

/** The budget charged for the statements of one request and of its in-process calls. */
export interface RequestBudget {
  /** The client's network, as limits count it. */
  readonly network: string
  /** When the request came, as `performance.now()` tells it. */
  readonly began: number
  /**
   * From now on, also charges this account.
   *
   * @throws ApiError 429 if its budget is spent
   */
  setAccount(account: string): void
  /** @param milliseconds that a statement took, on any thread */
  charge(milliseconds: number): void
  /** @throws ApiError 429 if the budget is spent */
  refuseIfSpent(): void
}

const budgets = new AsyncLocalStorage<RequestBudget | undefined>()

/** @returns the current request's budget; undefined for the process's own work */
export function currentBudget(): RequestBudget | undefined {
  return budgets.getStore()
}

/**
 * Lets the application charge for work it does elsewhere, such as in its own threads.
 *
 * @returns a function that charges the current request's budget, now or later; undefined if there
 *   is none
 */
export function meter(): ((milliseconds: number) => void) | undefined {
  const payer = currentBudget()
  return payer && ((milliseconds) => payer.charge(milliseconds))
}

/** @param payer undefined for the process's own work */
export function withBudget<T>(payer: RequestBudget | undefined, work: () => T): T {
  return budgets.run(payer, work)
}
