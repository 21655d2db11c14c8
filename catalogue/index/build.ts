import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addDocs } from './docs.ts'
import { preparedRows } from './rows.ts'
import { addTerms } from './terms.ts'
import { formatVersion, indexes, schema } from './schema.ts'
import type { CatalogueWork } from './work.ts'

export interface BuildOptions {
  /** Where the works come from, with its version; kept in the file to tell when to build anew. */
  source: string
  /** Edition ids of the curated sections, in the order they are shown. */
  curated?: Record<string, string[]>
}

/**
 * Writes a search index as a new file beside the old one, checks it and puts it in the old one's
 * place in one step: whoever opens the name finds either the whole old index or the whole new one.
 *
 * @param file where the index shall stand; its folder must exist
 * @param works the works, in any order
 * @throws when the folder cannot be written or the written file does not pass SQLite's own check;
 * the old file is then still there
 */
export function buildIndex(
  file: string,
  works: Iterable<CatalogueWork>,
  options: BuildOptions,
): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    writeIndex(draft, works, options)
    syncToDisk(draft)
    renameSync(draft, file)
    syncToDisk(dirname(file))
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeIndex(draft: string, works: Iterable<CatalogueWork>, options: BuildOptions): void {
  const db = new DatabaseSync(draft)
  try {
    // Nothing to lose: a draft that was not finished is thrown away.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
    db.exec(schema)
    db.exec('BEGIN')
    addWorks(db, works)
    db.exec(indexes)
    addTerms(db, addDocs(db))
    addCurated(db, options.curated ?? {})
    const meta = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
    meta.run('format', String(formatVersion))
    meta.run('source', options.source)
    db.exec(`INSERT INTO fts (fts) VALUES ('optimize'); COMMIT; ANALYZE`)
    check(db)
  } finally {
    db.close()
  }
}

function addWorks(db: DatabaseSync, works: Iterable<CatalogueWork>): void {
  const addWork = db.prepare(
    `INSERT INTO work (title, subtitle, other_titles, authors, genres, description, readers)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const addEdition = db.prepare(
    `INSERT INTO edition (work_id, key, ids, title, isbn13, publisher, published_date, language,
       page_count, image_links) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const w of works) {
    const { lastInsertRowid: workId } = addWork.run(
      w.title,
      w.subtitle ?? '',
      JSON.stringify(w.other_titles),
      JSON.stringify(w.authors),
      JSON.stringify(w.genres),
      w.description,
      w.readers,
    )
    for (const e of w.editions)
      addEdition.run(
        workId,
        e.id,
        JSON.stringify(e.ids),
        e.title ?? '',
        e.isbn13 ? Number(e.isbn13) : null,
        e.publisher,
        e.published_date,
        e.language,
        e.page_count,
        JSON.stringify(e.image_links),
      )
  }
}

function addCurated(db: DatabaseSync, curated: Record<string, string[]>): void {
  const add = db.prepare(
    `INSERT INTO curated (section, position, edition_id) SELECT ?, ?, id FROM edition WHERE key = ?`,
  )
  for (const [section, keys] of Object.entries(curated))
    for (const [position, key] of keys.entries()) add.run(section, position, key)
}

function check(db: DatabaseSync): void {
  db.exec(`INSERT INTO fts (fts) VALUES ('integrity-check')`)
  const [[result] = []] = preparedRows(db, 'PRAGMA integrity_check')()
  if (result !== 'ok') throw new Error(`The new catalogue index is damaged: ${String(result)}`)
}

function syncToDisk(path: string): void {
  // Windows does not open folders; its rename is durable enough without.
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
