import type { DatabaseSync } from 'node:sqlite'
import type { EditionRow, WorkRow } from '../index/docs.ts'
import { authorId, seriesId } from '../index/names.ts'
import { editionOf } from '../building/ranked.ts'
import { lines, linesOf, preparedRows, preparedWrite, type Cell } from '../index/rows.ts'
import { openLibraryNumber, ownIds } from '../index/schema.ts'
import type { CatalogueEdition, CatalogueWork } from '../index/work.ts'

/** Reads and writes single works and editions of a file. */
export interface WorkStore {
  /** @returns the id of the new work */
  add(work: CatalogueWork): number
  addEdition(workId: number, edition: CatalogueEdition): void
  /** Fills in what the stored edition lacks. */
  completeEdition(editionId: number, edition: CatalogueEdition): void
  /** Fills in what the stored work lacks. */
  complete(workId: number, work: CatalogueWork): void
  read(workId: number): { work: WorkRow; editions: EditionRow[] }
}

/** @param db a file with works and editions, open for writing */
export function workStore(db: DatabaseSync): WorkStore {
  const write = writesOf(db)
  const stored = readsOf(db)
  const nextWork = freeIds(db, 'work')
  const nextEdition = freeIds(db, 'edition')
  const addSeries = (id: number, { series = [] }: CatalogueWork) => {
    for (const place of series) write.series.run(seriesId(place), id, place.name, place.position)
  }
  const works: WorkStore = {
    add(work) {
      const id = openLibraryNumber(work.openlibrary ?? '', 'W') ?? nextWork()
      const { title, subtitle = '', other_titles, authors, author_names = [] } = work
      const { genres, details = [], description, about = '', readers } = work
      const lists = [other_titles, authors, author_names, genres, details].map(lines)
      write.work.run(id, title, subtitle, ...lists, description, about, Math.round(readers))
      for (const edition of work.editions) works.addEdition(id, edition)
      addSeries(id, work)
      return id
    },
    addEdition(workId, edition) {
      const number = openLibraryNumber(edition.id, 'M')
      write.edition.run(
        number ?? nextEdition(),
        workId,
        number === null ? edition.id : null,
        isPlain(edition, number) ? null : JSON.stringify(edition.ids),
        edition.title ?? '',
        edition.isbn13 ? Number(edition.isbn13) : null,
        edition.publisher,
        edition.published_date,
        edition.language,
        edition.page_count,
        lines(edition.image_links),
      )
    },
    completeEdition(id, edition) {
      const [[, key, ids] = []] = stored.ids(id)
      const own = key === null ? { openlibrary: `OL${id}M` } : {}
      const all = { ...edition.ids, ...own, ...(ids ? JSON.parse(String(ids)) : {}) }
      write.restOfEdition.run(
        edition.isbn13 ? Number(edition.isbn13) : null,
        edition.page_count,
        edition.publisher,
        edition.language,
        edition.published_date,
        lines(edition.image_links),
        key === null && Object.keys(all).length === 1 ? null : JSON.stringify(all),
        id,
      )
      if (edition.id !== (key ?? `OL${id}M`)) write.alias.run(edition.id, id)
    },
    complete(id, work) {
      const { work: old } = works.read(id)
      const [[genres, details, description, about] = []] = stored.texts(id)
      const titles =
        work.title === old.title ? work.other_titles : [work.title, ...work.other_titles]
      write.restOfWork.run(
        work.subtitle ?? '',
        union(old.otherTitles, titles, maxTitles),
        lines(work.authors),
        union(old.authorNames, otherNames(old, work), maxNames),
        union(genres, work.genres, maxGenres),
        union(details, work.details ?? [], maxDetails),
        work.description,
        // Another source's description is searched as well.
        union(about, [description ? work.description : '', work.about ?? ''], maxTexts),
        Math.round(work.readers),
        id,
      )
      addSeries(id, work)
    },
    read(id) {
      const [row] = stored.work(id)
      if (!row) throw new Error(`There is no work ${id}.`)
      return { work: workRow(row), editions: stored.editions(id).map(editionOf) }
    },
  }
  return works
}

function writesOf(db: DatabaseSync) {
  return {
    work: preparedWrite(
      db,
      `INSERT INTO work (id, title, subtitle, other_titles, authors, author_names, genres, details,
         description, about, readers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    edition: preparedWrite(
      db,
      `INSERT INTO edition (id, work_id, key, ids, title, isbn13, publisher, published_date, language,
         page_count, image_links) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    restOfEdition: preparedWrite(
      db,
      `UPDATE edition SET isbn13 = coalesce(isbn13, ?), page_count = iif(page_count = 0, ?, page_count),
         publisher = iif(publisher = '', ?, publisher), language = iif(language = '', ?, language),
         published_date = iif(published_date = '', ?, published_date),
         image_links = iif(image_links = '', ?, image_links), ids = ? WHERE id = ?`,
    ),
    alias: preparedWrite(db, 'INSERT OR IGNORE INTO alias (key, edition_id) VALUES (?, ?)'),
    series: preparedWrite(db, 'INSERT OR IGNORE INTO series_place VALUES (?, ?, ?, ?)'),
    restOfWork: preparedWrite(
      db,
      `UPDATE work SET subtitle = iif(subtitle = '', ?, subtitle), other_titles = ?,
         authors = iif(authors = '', ?, authors), author_names = ?, genres = ?, details = ?,
         description = iif(description = '', ?, description), about = ?, readers = max(readers, ?) WHERE id = ?`,
    ),
  }
}

function readsOf(db: DatabaseSync) {
  return {
    work: preparedRows(
      db,
      `SELECT id, title, subtitle, other_titles, authors, author_names, genres, readers + shelved
       FROM work WHERE id = ?`,
    ),
    editions: preparedRows(
      db,
      `SELECT id, title, isbn13, publisher, published_date, language, page_count, image_links
       FROM edition WHERE work_id = ? ORDER BY id`,
    ),
    texts: preparedRows(db, 'SELECT genres, details, description, about FROM work WHERE id = ?'),
    ids: preparedRows(db, 'SELECT id, key, ids FROM edition WHERE id = ?'),
  }
}

function workRow(row: Cell[]): WorkRow {
  const [id, title, subtitle, otherTitles, authors, authorNames, genres, readers] = row.map(
    String,
  ) as [string, string, string, string, string, string, string, string]
  const lists = { otherTitles, authors, authorNames, genres }
  return { id: Number(id), title, subtitle, ...lists, readers: Number(readers) }
}

/** Names that the stored authors have elsewhere, by which they are found as well. */
function otherNames(old: WorkRow, { authors, author_names: names = [] }: CatalogueWork): string[] {
  const known = new Set(linesOf(old.authors).map(authorId))
  const isOther = (name: string) => old.authors !== '' && !known.has(authorId(name))
  return [...authors.filter(isOther), ...names]
}

/** Whether an edition has no id besides its number. */
function isPlain({ id, ids }: CatalogueEdition, number: number | null): boolean {
  if (number === null || (ids.openlibrary ?? id) !== id) return false
  return Object.keys(ids).every((name) => name === 'openlibrary')
}

/** The most entries of lists that are merged from several sources. */
const [maxTitles, maxNames, maxGenres, maxDetails, maxTexts] = [60, 20, 20, 60, 4]

/** The stored entries followed by new ones, up to a limit. */
function union(mine: Cell | undefined, theirs: string[], most: number): string {
  return lines([...new Set([...linesOf(mine), ...linesOf(lines(theirs))])].slice(0, most))
}

function freeIds(db: DatabaseSync, table: 'work' | 'edition'): () => number {
  const [[last] = []] = preparedRows(db, `SELECT max(id) FROM ${table}`)()
  let id = Math.max(ownIds, Number(last ?? 0))
  return () => ++id
}
