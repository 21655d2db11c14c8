import { maxFilterBytes } from '../filter/lexer.ts'
import { maxRequests, urlBytes } from './batch.ts'
import { maxPerPage } from './params.ts'
import { maxTopics } from './realtime.ts'

/** The most that one request can ask for; for descriptions of the API. */
export const recordLimits = {
  perPage: maxPerPage,
  filterBytes: maxFilterBytes,
  batchRequests: maxRequests,
  batchUrlBytes: urlBytes,
  topics: maxTopics,
}
