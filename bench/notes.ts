import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { batchHead, batchRows } from './batch.ts'
import { jsonRequest } from './load.ts'
import { compare, comparisonHead, connections, getFrom, type RequestSource } from './measure.ts'
import { schema, seedNotes } from './notes-data.ts'
import { assertSameBytes } from './reads.ts'
import { startServer } from './server-process.ts'
import { table } from './table.ts'

const records = '/api/collections/notes/records'

/** The record service by itself, with no application around it, against bare statements. */
export async function notes(folder: string): Promise<string> {
  const file = join(folder, 'notes.db')
  const { owner, note, token } = await seedNotes(file)
  const copy = join(folder, 'ceiling.db')
  copyFileSync(file, copy)
  await using candidate = await startServer([join(import.meta.dirname, 'notes-server.ts'), file])
  const collectionId = schema.find('notes')?.id ?? ''
  await using ceiling = await startServer([
    join(import.meta.dirname, 'ceiling-notes.ts'),
    copy,
    collectionId,
  ])

  let made = 0
  const next = () => ({
    owner,
    title: `A new note, number ${made++}`,
    body: 'What is to be done next',
    labels: ['home'],
    stars: 3,
    open: true,
  })
  const create: RequestSource = ({ origin }) => {
    const url = new URL(origin + records)
    return () => jsonRequest('POST', url, next(), token)
  }
  const update: RequestSource = ({ origin }) => {
    const url = new URL(`${origin}${records}/${note}`)
    return () => jsonRequest('PATCH', url, { stars: made++ % 5 }, token)
  }
  const reading = {
    'one record': `${records}/${note}`,
    'list of 30 of 500': `${records}?filter=owner%3D%22${owner}%22&sort=-stars`,
  }
  const rows = [comparisonHead]
  for (const [name, path] of Object.entries(reading)) {
    await assertSameBytes(candidate, ceiling, path)
    rows.push([name, ...(await compare(getFrom(path), candidate, ceiling))])
  }
  for (const many of [1, connections]) {
    const by = many === 1 ? 'one connection' : `${many} connections`
    rows.push([`create, ${by}`, ...(await compare(create, candidate, ceiling, many))])
    rows.push([`update, ${by}`, ...(await compare(update, candidate, ceiling, many))])
  }
  const batches = await batchRows('notes', candidate, ceiling, { records, token, next })
  return `## The record service alone

The application of docs/records.md, 100 000 notes of 200 people: rules, checks, tokens, realtime, and no hooks. The ceiling is bench/ceiling-notes.ts.

${table(rows)}

${table([batchHead, ...batches])}
`
}
