/** The record service alone, as docs/records.md shows it, over the file that is named. */
import { serve } from '@hono/node-server'
import { createRecords, openSqlite } from '#records/index.ts'
import { schema } from './notes-data.ts'
import { secret } from './product.ts'

const [, , file = ''] = process.argv
const records = createRecords({
  database: openSqlite(file),
  schema,
  secret,
  appUrl: 'http://127.0.0.1',
  limits: false,
  onOtp: () => {},
})
serve({ fetch: records.routes.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`ready: http://127.0.0.1:${port}`),
)
