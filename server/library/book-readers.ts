import { sql, type RawBuilder } from 'kysely'
import { flag, named, number, text, type Database, type Row } from '#records/index.ts'
import { minRatings, reviewPageSize, type BookReaders, type Review } from '#shared/book-readers.ts'
import { query } from '#server/storage/query.ts'
import { ratingStep } from './work-readers.ts'

/** Whose readers are asked for: all names of one book, and the viewer. */
interface Asked {
  works: RawBuilder<unknown>
  /** Empty for a visitor. */
  viewer: string
  /** The names under which anybody has it. */
  known: readonly string[]
}

/**
 * What readers say of a book: the ratings and reviews that everybody can see, and the viewer's own.
 * A reader of several editions counts once, with the latest rating and review.
 *
 * @param works all names of the book; see work.ts
 * @param viewer id; '' for a visitor
 */
export async function readBookReaders(
  database: Database,
  works: readonly string[],
  viewer: string,
  page: number,
): Promise<BookReaders> {
  const totals = await query(
    database,
    sql`SELECT work, step, readers, total FROM work_totals
      WHERE work IN (${sql.join(works)}) AND readers > 0`,
  )
  const steps = named(totals, { work: text, step: number, readers: number, total: number })
  // Of all names only those that readers have it under.
  const known = [...new Set(steps.map(({ work }) => work))]
  const asked = { works: sql`(${sql.join(works)})`, viewer, known }
  const [others, own, reviews] = await Promise.all([
    countOthers(database, asked, steps),
    viewer ? readOwn(database, asked) : null,
    known.length > 0 ? listReviews(database, asked, page) : [],
  ])
  const all = own ? [...others, stepOf(own.rating, 1)] : others
  const rated = all.filter(({ step }) => step > 0)
  const ratings = sumOf(rated, 'readers')
  const first = page === 1 && own?.review ? [own] : []
  return {
    average:
      ratings < minRatings ? null : Math.round((sumOf(rated, 'total') / ratings) * 100) / 100,
    ratings,
    distribution: Array.from({ length: 10 }, (_, at) => {
      const ofStep = rated.filter(({ step }) => step === at + 1)
      return sumOf(ofStep, 'readers')
    }),
    readers: sumOf(all, 'readers'),
    reviews: [...first, ...reviews.slice(0, reviewPageSize)],
    page,
    hasMore: reviews.length > reviewPageSize,
  }
}

/** How many readers give a rating, and the sum of their ratings. */
interface Step {
  step: number
  readers: number
  total: number
}

const stepOf = (rating: number, readers: number): Step => ({
  step: ratingStep(rating),
  readers,
  total: rating * readers,
})

const sumOf = (steps: readonly Step[], column: 'readers' | 'total') =>
  steps.reduce((all, step) => all + step[column], 0)

/** Counts the readers that everybody can see, each once, without the viewer. */
async function countOthers(
  database: Database,
  asked: Asked,
  totals: readonly (Step & { work: string })[],
): Promise<Step[]> {
  const { works, viewer, known } = asked
  const largest = known.toSorted((a, b) => readersOf(totals, b) - readersOf(totals, a))
  const [own, several] = await Promise.all([
    viewer
      ? query(
          database,
          sql`SELECT rating FROM work_readers WHERE work IN ${works} AND "user" = ${viewer}`,
        )
      : [],
    known.length > 1 ? earlierRatings(database, asked, largest.slice(1)) : [],
  ])
  const less = [...own, ...several].map(([rating]) => stepOf(Number(rating), -1))
  return [...totals, ...less]
}

const readersOf = (totals: readonly (Step & { work: string })[], work: string) =>
  sumOf(
    totals.filter((step) => step.work === work),
    'readers',
  )

/**
 * The ratings of readers under several names but for their latest ones, which count.
 *
 * @param smaller all names but the one with most readers, whose rows need not be read
 */
function earlierRatings(
  database: Database,
  { viewer, known }: Asked,
  smaller: readonly string[],
): Promise<Row[]> {
  return query(
    database,
    // SQLite joins in the order of a CROSS JOIN, the smaller names first.
    sql`SELECT rating FROM (
        SELECT rating, ROW_NUMBER() OVER (PARTITION BY "user" ORDER BY rated DESC, work) AS place
        FROM (SELECT DISTINCT r."user", r.work, r.rating, r.rated FROM work_readers s
          CROSS JOIN work_readers r
          WHERE s.work IN (${sql.join(smaller)}) AND s."user" <> ${viewer}
            AND r."user" = s."user" AND r.work IN (${sql.join(known)})) AS theirs) AS latest
      WHERE place > 1`,
  )
}

/** The viewer's own latest rating and review, hidden or not; null without the book. */
async function readOwn(database: Database, { works, viewer }: Asked): Promise<Review | null> {
  const latest = (date: RawBuilder<unknown>) =>
    query(
      database,
      sql`SELECT ${reviewColumns}, b.rating FROM user_books b JOIN users u ON u.id = b."user"
        WHERE b."user" = ${viewer} AND b.work IN ${works}
        ORDER BY b.${date} DESC, b.id DESC LIMIT 1`,
    )
  const [[rated], [reviewed]] = await Promise.all([latest(sql`rated`), latest(sql`reviewed`)])
  return rated && reviewed ? { ...toReview(reviewed), rating: toReview(rated).rating } : null
}

/** The others' reviews, newest first; one more than a page if there are more. */
async function listReviews(
  database: Database,
  { works, viewer, known }: Asked,
  page: number,
): Promise<Review[]> {
  const latest = (date: RawBuilder<unknown>) => sql`FROM work_readers o
    WHERE o."user" = r."user" AND o.work IN ${works} ORDER BY o.${date} DESC, o.work LIMIT 1`
  const offset = (page - 1) * reviewPageSize
  const only = known.length > 1 ? sql`AND r.work = (SELECT o.work ${latest(sql`reviewed`)})` : sql``
  // An index has each name's reviews in order, so that only these pages are read.
  const newest = known.map(
    (work) => sql`SELECT * FROM (SELECT r.book, r."user", r.reviewed FROM work_readers r
      WHERE r.work = ${work} AND r.reviewed <> '' AND r."user" <> ${viewer} ${only}
      ORDER BY r.reviewed DESC, r."user" LIMIT ${offset + reviewPageSize + 1}) AS newest`,
  )
  const rows = await query(
    database,
    sql`SELECT ${reviewColumns}, (SELECT o.rating ${latest(sql`rated`)})
      FROM (SELECT * FROM (${sql.join(newest, sql` UNION ALL `)}) AS merged
          ORDER BY reviewed DESC, "user"
          LIMIT ${sql.lit(reviewPageSize + 1)} OFFSET ${offset}) r
        JOIN user_books b ON b.id = r.book JOIN users u ON u.id = r."user"
      ORDER BY r.reviewed DESC, r."user"`,
  )
  return rows.map(toReview)
}

/** For {@link toReview}, which reads the rating after them. A visible record has visible readings. */
const reviewColumns = sql`u.id, u.username, u.name, u.avatar, b.id, b.review, b.review_spoilers,
  (SELECT MAX(g.finished) FROM readings g
    WHERE g."user" = b."user" AND g.book_key = b.book_key AND g.outcome = 'finished')`

function toReview(row: Row): Review {
  const [id, username, name, avatar] = row.slice(0, 4).map(text)
  const { user_book, review, spoilers, finished, rating } = named([row.slice(4)], {
    user_book: text,
    review: text,
    spoilers: flag,
    finished: text,
    rating: number,
  })[0]!
  const reader = { id: id!, username: username!, name: name!, avatar: avatar! }
  return { reader, rating, review, spoilers, finished, user_book }
}
