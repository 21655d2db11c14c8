import { openCatalogue } from '#catalogue/index.ts'
import { searchForm } from '#shared/search-form.ts'
import { mkdirSync } from 'node:fs'
mkdirSync('/tmp/b-idx', { recursive: true })
const c = await openCatalogue({ folder: '/tmp/b-idx', workers: 1 })
for (const q of process.argv.slice(2)) {
  const r = await c.search(searchForm.parse({ q }))
  console.log(
    `== ${q}`,
    r.absent ? 'ABSENT' : '',
    r.did_you_mean ?? '',
    r.left_out ?? '',
    r.matches ? 'described' : '',
  )
  for (const b of r.books.slice(0, 7))
    console.log('   ', b.title, '|', b.authors.join(', '), '|', b.id)
}
await c.close()
