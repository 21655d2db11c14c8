import type { DatabaseSync } from 'node:sqlite'
import type { EditionRow, WorkRow } from './docs.ts'
import { editionOf } from './ranked.ts'
import { lines, linesOf, preparedRows, preparedWrite } from './rows.ts'
import { openLibraryNumber, ownIds } from './schema.ts'
import type { CatalogueEdition, CatalogueWork } from './work.ts'

/** Works and editions of a file, read and written one by one. */
export interface Works {
  /** @returns the id of the new work */
  add(work: CatalogueWork): number
  addEdition(workId: number, edition: CatalogueEdition): void
  /** Fills in what the edition of the file does not know and the other one does. */
  completeEdition(editionId: number, edition: CatalogueEdition): void
  /** Adds what the work of the file does not have and the other one does. */
  complete(workId: number, work: CatalogueWork): void
  read(workId: number): { work: WorkRow; editions: EditionRow[] }
}

/** @param db a file with works and editions, open for writing */
export function worksOf(db: DatabaseSync): Works {
  const addWork = preparedWrite(
    db,
    `INSERT INTO work (id, title, subtitle, other_titles, authors, genres, description, readers)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addEdition = preparedWrite(
    db,
    `INSERT INTO edition (id, work_id, key, ids, title, isbn13, publisher, published_date, language,
       page_count, image_links) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const completeEdition = preparedWrite(
    db,
    `UPDATE edition SET isbn13 = coalesce(isbn13, ?), page_count = iif(page_count = 0, ?, page_count),
       publisher = iif(publisher = '', ?, publisher), language = iif(language = '', ?, language),
       published_date = iif(published_date = '', ?, published_date),
       image_links = iif(image_links = '', ?, image_links), ids = ? WHERE id = ?`,
  )
  const addAlias = preparedWrite(db, 'INSERT OR IGNORE INTO alias (key, edition_id) VALUES (?, ?)')
  const completeWork = preparedWrite(
    db,
    `UPDATE work SET subtitle = iif(subtitle = '', ?, subtitle), other_titles = ?, genres = ?,
       authors = iif(authors = '', ?, authors),
       description = iif(description = '', ?, description), readers = max(readers, ?) WHERE id = ?`,
  )
  const work = preparedRows(
    db,
    `SELECT id, title, subtitle, other_titles, authors, genres, readers + shelved FROM work
     WHERE id = ?`,
  )
  const editions = preparedRows(
    db,
    `SELECT id, title, isbn13, publisher, published_date, language, page_count, image_links
     FROM edition WHERE work_id = ? ORDER BY id`,
  )
  const idsOf = preparedRows(db, 'SELECT id, key, ids FROM edition WHERE id = ?')
  const nextWork = freeIds(db, 'work')
  const nextEdition = freeIds(db, 'edition')
  const works: Works = {
    add(w) {
      const id = openLibraryNumber(w.openlibrary ?? '', 'W') ?? nextWork()
      addWork.run(
        id,
        w.title,
        w.subtitle ?? '',
        lines(w.other_titles),
        lines(w.authors),
        lines(w.genres),
        w.description,
        Math.round(w.readers),
      )
      for (const edition of w.editions) works.addEdition(id, edition)
      return id
    },
    addEdition(workId, e) {
      const number = openLibraryNumber(e.id, 'M')
      const plain = number !== null && Object.keys(e.ids).every((name) => name === 'openlibrary')
      addEdition.run(
        number ?? nextEdition(),
        workId,
        number === null ? e.id : null,
        plain && (e.ids.openlibrary ?? e.id) === e.id ? null : JSON.stringify(e.ids),
        e.title ?? '',
        e.isbn13 ? Number(e.isbn13) : null,
        e.publisher,
        e.published_date,
        e.language,
        e.page_count,
        lines(e.image_links),
      )
    },
    completeEdition(id, e) {
      const [[, key, ids] = []] = idsOf(id)
      const own = key === null ? { openlibrary: `OL${id}M` } : {}
      const all = { ...e.ids, ...own, ...(ids ? JSON.parse(String(ids)) : {}) }
      completeEdition.run(
        e.isbn13 ? Number(e.isbn13) : null,
        e.page_count,
        e.publisher,
        e.language,
        e.published_date,
        lines(e.image_links),
        key === null && Object.keys(all).length === 1 ? null : JSON.stringify(all),
        id,
      )
      if (e.id !== (key ?? `OL${id}M`)) addAlias.run(e.id, id)
    },
    complete(id, w) {
      const { work: old } = works.read(id)
      const union = (mine: string, theirs: string[], most: number) =>
        lines([...new Set([...linesOf(mine), ...linesOf(lines(theirs))])].slice(0, most))
      const titles = w.title === old.title ? w.other_titles : [w.title, ...w.other_titles]
      completeWork.run(
        w.subtitle ?? '',
        union(old.otherTitles, titles, 40),
        union(old.genres, w.genres, 20),
        lines(w.authors),
        w.description,
        Math.round(w.readers),
        id,
      )
    },
    read(id) {
      const [row] = work(id)
      if (!row) throw new Error(`There is no work ${id}.`)
      const [, title, subtitle, otherTitles, authors, genres, readers] = row.map(String)
      return {
        work: {
          id,
          title: title ?? '',
          subtitle: subtitle ?? '',
          otherTitles: otherTitles ?? '',
          authors: authors ?? '',
          genres: genres ?? '',
          readers: Number(readers),
        },
        editions: editions(id).map(editionOf),
      }
    },
  }
  return works
}

function freeIds(db: DatabaseSync, table: 'work' | 'edition'): () => number {
  const [[last] = []] = preparedRows(db, `SELECT max(id) FROM ${table}`)()
  let id = Math.max(ownIds, Number(last ?? 0))
  return () => ++id
}
