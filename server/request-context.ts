import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of the request that is being answered, for the log and for metrics. */
export interface RequestContext {
  /** Tells it apart in the log; '' where requests are not logged. */
  id: string
  /** The pattern of the route that answers, never with an id in it. */
  route: string
  /** The account it is made by; '' for a visitor, or while that is not known. */
  account: string
}

const contexts = new AsyncLocalStorage<RequestContext>()

/** @returns undefined outside of a request, and where nobody watches requests */
export const currentRequest = (): RequestContext | undefined => contexts.getStore()

/** Runs the work so that all it causes knows its request. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return contexts.run(context, work)
}
