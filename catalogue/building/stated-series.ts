import type { DatabaseSync } from 'node:sqlite'
import type { SeriesStatement } from '../text/series-statement.ts'
import { authorId, seriesId } from '../index/names.ts'
import { linesOf, preparedRows, preparedWrite, type Cell } from '../index/rows.ts'

/** Works by more authors than this that state one name are a publisher's collection. */
const mostAuthors = 4

/** A series from another source, with its works best known first. */
interface GivenSeries {
  name: string
  /** Its author. */
  by: string
  works: { id: number; position: string }[]
}

/** Writes series that editions state, or that another catalogue lists, to an index. */
export interface StatedSeries {
  /**
   * Stores what the editions of a work state.
   *
   * @returns the ids of the stated series
   */
  state(workId: number, statements: readonly SeriesStatement[]): string[]
  /**
   * Makes a series of statements if several works of one author are at different places of it.
   *
   * @param id of a stated series
   */
  placeStated(id: string): void
  /** The same for all statements. */
  placeAll(): void
  /** Adds works to a series that another catalogue lists. */
  place(series: GivenSeries): void
}

/** @param db a complete index, open for writing */
export function statedSeries(db: DatabaseSync): StatedSeries {
  const authorsOf = preparedRows(db, 'SELECT authors FROM work WHERE id = ?')
  const add = preparedWrite(db, 'INSERT OR IGNORE INTO series_statement VALUES (?, ?, ?, ?)')
  const stated = preparedRows(
    db,
    `SELECT s.work_id, s.name, s.position, w.authors FROM series_statement s
     JOIN doc d ON d.work_id = s.work_id JOIN work w ON w.id = s.work_id
     WHERE s.series = ? ORDER BY d.docid`,
  )
  // The words of an id are joined by "-", which "." follows.
  const authorsStating = preparedRows(
    db,
    `SELECT count(DISTINCT series) FROM series_statement WHERE series > ?1 || '--'
     AND series < ?1 || '-.'`,
  )
  const repeated = preparedRows(
    db,
    `SELECT series FROM series_statement GROUP BY series
     HAVING count(DISTINCT work_id) > 1 AND count(DISTINCT position) > 1`,
  )
  const place = placer(db)
  const series: StatedSeries = {
    state(workId, statements) {
      const [by] = linesOf(authorsOf(workId)[0]?.[0])
      if (by === undefined) return []
      return statements.map(({ name, position }) => {
        const id = seriesId({ name, by })
        add.run(id, workId, name, position)
        return id
      })
    },
    placeStated(id) {
      const rows = stated(id)
      const [[, name = '', , authors] = []] = rows
      const works = placesOf(rows)
      const isSeries = new Set(works.map(({ position }) => position)).size > 1
      if (!isSeries || Number(authorsStating(authorId(String(name)))[0]?.[0]) > mostAuthors) return
      place({ name: String(name), by: linesOf(authors)[0] ?? '', works })
    },
    placeAll() {
      for (const [id] of repeated()) series.placeStated(String(id))
    },
    place,
  }
  return series
}

/** The place of each work; none if its editions disagree. */
function placesOf(rows: Cell[][]): GivenSeries['works'] {
  const byWork = Map.groupBy(rows, ([work]) => Number(work))
  return [...byWork].flatMap(([id, [first, ...others]]) =>
    first && others.length === 0 ? { id, position: String(first[2]) } : [],
  )
}

function placer(db: DatabaseSync): StatedSeries['place'] {
  const same = preparedRows(
    db,
    `SELECT p.series, p.name, count(*) FROM json_each(?) given JOIN series_place p
       ON p.work_id = given.value ->> 'id' AND p.position = given.value ->> 'position'
     WHERE p.position <> '' GROUP BY p.series HAVING count(*) > 1
     ORDER BY count(*) DESC, p.series LIMIT 1`,
  )
  const places = preparedRows(
    db,
    `SELECT p.name, p.position, w.authors FROM series_place p JOIN work w ON w.id = p.work_id
     WHERE p.series = ?`,
  )
  const add = preparedWrite(db, 'INSERT OR IGNORE INTO series_place VALUES (?, ?, ?, ?)')
  /** The same series under a name it already has: with the same works, or a like name and author. */
  const known = ({ name, by, works }: GivenSeries): [id: string, name: string] => {
    const [[id, itsName] = []] = same(JSON.stringify(works))
    if (id !== undefined) return [String(id), String(itsName)]
    const own = seriesId({ name, by })
    const alike = [authorId(name), authorId(`The ${name}`), authorId(name).replace(/^the-/, '')]
    const author = authorId(by)
    for (const other of alike) {
      const found = places(other)
      const isTheirs = found.some(([, , names]) => linesOf(names).map(authorId).includes(author))
      if (isTheirs) return [other, String(found[0]?.[0])]
    }
    return [own, String(places(own)[0]?.[0] ?? name)]
  }
  return (given) => {
    const [id, name] = known(given)
    const taken = new Set(places(id).map(([, position]) => String(position)))
    for (const { id: work, position } of given.works) {
      // Catalogues have some books twice: the best known one has the place.
      if (position !== '' && taken.has(position)) continue
      taken.add(position)
      add.run(id, work, name, position)
    }
  }
}
