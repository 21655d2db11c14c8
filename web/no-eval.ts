/**
 * Keeps zod from trying whether code may be made from text: the policy of every page forbids it, and
 * a browser reports the attempt. This is what `z.config({ jitless: true })` sets, said before any
 * schema is made and without a page that needs none having to fetch zod.
 */
if (typeof document !== 'undefined')
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
