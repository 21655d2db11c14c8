/** For threads of other rooms, as index.ts loads two hundred modules more. */
export { foldTitle } from './index/fold.ts'
export { editDistance } from './index/spelling.ts'
export { yieldToRequests } from './yield-to-requests.ts'
