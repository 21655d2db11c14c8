import type { DatabaseSync } from 'node:sqlite'
import type { FoldedWork } from '../index/docs.ts'
import { docOf, docWriter } from '../index/docs.ts'
import { workStore } from './work-store.ts'
import { foldTitle } from '../text/fold.ts'
import { eachRow, linesOf, preparedRows, preparedWrite } from '../index/rows.ts'
import { bucketOf, bucketOfDocid, docidOf, openLibraryNumber } from '../index/schema.ts'
import { suggestionWriter } from '../reading/suggestions.ts'
import { correctionKeys, isCorrectable, wordsOf } from '../building/terms.ts'
import { statedSeries } from '../building/stated-series.ts'
import { dateIndexOf } from '../building/date-index.ts'
import { subjectWriter } from '../index/subject-index.ts'
import type { CatalogueEdition, CatalogueWork } from '../index/work.ts'
import { hash, titleKeys } from '../text/words.ts'

/** Adds works to an index in use. */
export interface IndexUpdater {
  /**
   * Merges the work into one that shares an edition, or its title and an author, or else adds it.
   * Existing data stays, missing data is added.
   *
   * @returns the ISBN-13s that are new to the index
   */
  put(work: CatalogueWork): string[]
  /** Adds readers who have the ISBN-13 on a public shelf; ignores unknown ISBNs. */
  addShelved(isbn13: string, readers: number): void
  /**
   * Sets how many readers have each ISBN-13 on a public shelf, for the ranking; missing ones have
   * none.
   */
  setShelved(readers: ReadonlyMap<string, number>): void
  /** Writes how often the words of the added works occur; call once, at the end. */
  finish(): void
}

/** @param db a complete index, open for writing and inside a transaction */
export function indexUpdater(db: DatabaseSync): IndexUpdater {
  const works = workStore(db)
  const find = finder(db)
  const search = searchWriter(db)
  const series = statedSeries(db)
  const stateSeries = (workId: number, { series_statements: statements = [] }: CatalogueWork) => {
    for (const id of series.state(workId, statements)) series.placeStated(id)
  }
  const addReaders = preparedWrite(db, 'UPDATE work SET shelved = shelved + ? WHERE id = ?')
  return {
    put(work) {
      const isbns = work.editions.flatMap(({ isbn13 = '' }) =>
        isbn13 && find.byIsbn(isbn13) === undefined ? [isbn13] : [],
      )
      const matches = work.editions.map((edition) => ({ edition, ...find.edition(edition) }))
      const workId =
        matches.find((match) => match.workId !== undefined)?.workId ?? find.work(work) ?? null
      if (workId === null) {
        const added = works.add(work)
        search.add(works.read(added))
        stateSeries(added, work)
        return isbns
      }
      const before = works.read(workId)
      works.complete(workId, work)
      for (const { edition, id } of matches)
        if (id === undefined) works.addEdition(workId, edition)
        else works.completeEdition(id, edition)
      search.replace(before, works.read(workId))
      stateSeries(workId, work)
      return isbns
    },
    addShelved(isbn13, readers) {
      const workId = find.byIsbn(isbn13)?.workId
      if (workId === undefined || readers === 0) return
      const before = works.read(workId)
      addReaders.run(readers, workId)
      search.replace(before, works.read(workId))
    },
    setShelved(readers) {
      const counts = new Map<number, number>()
      for (const [workId] of eachRow(db, 'SELECT id FROM work WHERE shelved > 0'))
        counts.set(Number(workId), 0)
      for (const [isbn13, count] of readers) {
        const workId = find.byIsbn(isbn13)?.workId
        if (workId !== undefined) counts.set(workId, (counts.get(workId) ?? 0) + count)
      }
      const set = preparedWrite(db, 'UPDATE work SET shelved = ?1 WHERE id = ?2 AND shelved <> ?1')
      for (const [workId, count] of counts) {
        const before = works.read(workId)
        if (set.run(count, workId).changes > 0) search.replace(before, works.read(workId))
      }
    },
    finish: () => search.finish(),
  }
}

interface Found {
  id: number
  workId: number
}

function finder(db: DatabaseSync) {
  const rows = (sql: string) => preparedRows(db, sql)
  const byId = rows('SELECT id, work_id FROM edition WHERE id = ?')
  const byKey = rows(
    `SELECT id, work_id FROM edition WHERE id IN (SELECT id FROM edition WHERE key = ?1
       UNION ALL SELECT edition_id FROM alias WHERE key = ?1) LIMIT 1`,
  )
  const byIsbn13 = rows(
    `SELECT id, work_id FROM edition WHERE id IN (SELECT id FROM edition WHERE isbn13 = ?1
       UNION ALL SELECT edition_id FROM isbn WHERE isbn13 = ?1) ORDER BY id LIMIT 1`,
  )
  const byWork = rows('SELECT id FROM work WHERE id = ?')
  const titled = rows(
    `SELECT w.id, w.title, w.authors FROM title_key t JOIN doc d ON d.docid = t.docid
     JOIN work w ON w.id = d.work_id WHERE t.h = ? ORDER BY t.docid LIMIT 50`,
  )
  const first = ([row]: ReturnType<typeof byId>): Found | undefined =>
    row && { id: Number(row[0]), workId: Number(row[1]) }
  const byIsbn = (isbn13: string) => first(byIsbn13(Number(isbn13)))
  return {
    byIsbn,
    edition({ id, isbn13 }: CatalogueEdition): Partial<Found> {
      const number = openLibraryNumber(id, 'M')
      const same = (number === null ? undefined : first(byId(number))) ?? first(byKey(id))
      return same ?? (isbn13 ? byIsbn(isbn13) : undefined) ?? {}
    },
    work(work: CatalogueWork): number | null {
      const number = openLibraryNumber(work.openlibrary ?? '', 'W')
      if (number !== null && byWork(number).length > 0) return number
      const title = foldTitle(work.title)
      const authors = new Set(work.authors.map(foldTitle))
      const same = titleKeys(title)
        .flatMap((key) => titled(hash(key)))
        .find(
          ([, other, names]) =>
            foldTitle(String(other)) === title &&
            linesOf(names).some((name) => authors.has(foldTitle(name))),
        )
      return same ? Number(same[0]) : null
    },
  }
}

type Read = ReturnType<ReturnType<typeof workStore>['read']>

/** Keeps the search tables in step with works and editions. */
function searchWriter(db: DatabaseSync) {
  const docs = docWriter(db)
  const timeline = dateIndexOf(db)
  const suggest = suggestionWriter(db)
  const subjects = subjectWriter(db)
  const rows = (sql: string) => preparedRows(db, sql)
  const placeOf = rows('SELECT docid FROM doc WHERE work_id = ?')
  const last = rows('SELECT max(docid) FROM doc WHERE docid < ?')
  const addKey = preparedWrite(db, 'INSERT OR IGNORE INTO title_key (h, docid) VALUES (?, ?)')
  const removeKey = preparedWrite(db, 'DELETE FROM title_key WHERE h = ? AND docid = ?')
  const words = wordWriter(db)
  const countWorks = preparedWrite(
    db,
    `UPDATE meta SET value = CAST(value AS INTEGER) + ? WHERE key = 'works'`,
  )
  const freePlace = (bucket: number) =>
    Math.max(Number(last(docidOf(bucket - 1, 0))[0]?.[0] ?? 0), docidOf(bucket, 0)) + 1
  const enter = (doc: FoldedWork) => {
    docs.write(doc, timeline.add(doc))
    suggest.add(doc, 0)
    subjects.add(doc.docid)
    for (const key of doc.keys) addKey.run(key, doc.docid)
  }
  return {
    finish: () => words.finish(),
    add({ work, editions }: Read) {
      const bucket = bucketOf(work.readers, editions.length)
      const doc = docOf(freePlace(bucket), work, editions)
      enter(doc)
      words.count(doc, new Set())
      countWorks.run(1)
    },
    replace(before: Read, now: Read) {
      const docid = Number(placeOf(now.work.id)[0]?.[0])
      const old = docOf(docid, before.work, before.editions)
      const bucket = bucketOf(now.work.readers, now.editions.length)
      const place = bucket === bucketOfDocid(docid) ? docid : freePlace(bucket)
      const doc = docOf(place, now.work, now.editions)
      // The subjects include the description, which may be new.
      subjects.remove(docid)
      if (JSON.stringify(old) === JSON.stringify(doc)) {
        subjects.add(docid)
        return
      }
      timeline.remove(docs.remove(docid))
      suggest.remove(old)
      for (const key of old.keys) removeKey.run(key, docid)
      enter(doc)
      words.count(doc, wordsOf(old).all)
    },
  }
}

function wordWriter(db: DatabaseSync) {
  // One row at a time: before a statement that may change several rows SQLite makes FTS5 flush.
  const find = preparedRows(db, 'SELECT id FROM term WHERE term = ?')
  const count = preparedWrite(db, 'UPDATE term SET df = df + ?, weight = weight + ? WHERE id = ?')
  const add = preparedWrite(db, 'INSERT INTO term (term, df, weight) VALUES (?, ?, ?)')
  const addKey = preparedWrite(db, 'INSERT OR IGNORE INTO del (h, id) VALUES (?, ?)')
  // Many works share words, so each is written once.
  const counts = new Map<string, { works: number; weight: number }>()
  return {
    /** @param known words already counted for the work */
    count(work: FoldedWork, known: ReadonlySet<string>): void {
      const { named, all } = wordsOf(work)
      for (const word of all) {
        if (known.has(word)) continue
        const weight = named.has(word) ? 1 + work.readers : 0
        const before = counts.get(word)
        if (before === undefined) counts.set(word, { works: 1, weight })
        else {
          before.works += 1
          before.weight += weight
        }
      }
    },
    finish(): void {
      for (const [word, { works, weight }] of counts) {
        const [[known] = []] = find(word)
        if (known !== undefined) count.run(works, weight, known)
        const id = known ?? add.run(word, works, weight).lastInsertRowid
        if (weight === 0 || !isCorrectable(word)) continue
        for (const key of correctionKeys(word)) addKey.run(key, id)
      }
      counts.clear()
    },
  }
}
