import { AsyncLocalStorage } from 'node:async_hooks'

/** The current request, for the log and for metrics. */
export interface RequestContext {
  /** Its id in the log; '' where requests are not logged. */
  id: string
  /** The pattern of the route, without ids. */
  route: string
  /** The account's id; '' for a visitor, or while it is unknown. */
  account: string
}

const contexts = new AsyncLocalStorage<RequestContext>()

/** @returns undefined outside of a request, and where requests are not observed */
export const currentRequest = (): RequestContext | undefined => contexts.getStore()

/** Runs work within the context of a request. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return contexts.run(context, work)
}
