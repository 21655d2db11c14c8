/** For threads of other rooms: index.ts would load two hundred more modules. */
export { cleanLanguage } from './sources/clean.ts'
export { foldTitle } from './text/fold.ts'
export { editDistance } from './text/spelling.ts'
export { yieldToRequests } from './yield-to-requests.ts'
