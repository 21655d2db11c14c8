import { collection, type Field } from '#records/index.ts'
import { withLife } from './life.ts'
import { created, own, owner, ownersWrite } from './rules.ts'

const fields = [
  owner,
  // A hash of the secret part of the addresses, which only the answer to a create has.
  { name: 'hash', type: 'text', max: 64, readable: 'nobody', writable: 'never' },
  { name: 'last_used', type: 'date', writable: 'never' },
  created,
] as const satisfies readonly Field[]

/** The secret addresses at which a reader's own feed and calendar are. Each reader has one set. */
export const privateFeeds = withLife(
  collection({
    name: 'private_feeds',
    sessionOnly: true,
    fields,
    unique: [['user'], ['hash']],
    rules: { list: own, view: own, ...ownersWrite, update: null },
  }),
  { cleared: true, exported: false },
)
