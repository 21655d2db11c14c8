/** For threads of other rooms: index.ts would load two hundred more modules. */
export { foldTitle } from './index/fold.ts'
export { editDistance } from './index/spelling.ts'
export { yieldToRequests } from './yield-to-requests.ts'
