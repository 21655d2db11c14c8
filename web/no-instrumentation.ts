/*
 * Takes the place of the router's own module (vite.config.ts), whose functions only do something with
 * `instrumentations`, which we don't pass.
 */

export const consumeInstrumentationClientResultMetaReceiver = (): undefined => undefined
export const getRouteInstrumentationUpdates = (): object => ({})
export const instrumentClientSideRouter = <Router>(router: Router): Router => router
