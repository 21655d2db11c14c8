/** Milliseconds to wait for readers and writers of the old file. */
export const lockTimeout = 10_000

/** Incremented whenever older files can't be read any more; they are then rebuilt. */
export const formatVersion = 15

/**
 * The tables of works and editions, in the index and in staging files. Lists have one entry per
 * line. Works and editions of Open Library use the number of their key as id, others an id from
 * {@link ownIds} on.
 */
export const worksSchema = `
CREATE TABLE work (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  other_titles TEXT NOT NULL,
  authors TEXT NOT NULL,
  author_names TEXT NOT NULL,
  genres TEXT NOT NULL,
  -- People, places, times and themes.
  details TEXT NOT NULL,
  description TEXT NOT NULL,
  -- More of what happens than the description says.
  about TEXT NOT NULL,
  readers INTEGER NOT NULL,
  -- Readers of Octavo who have it on a public shelf.
  shelved INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE edition (
  id INTEGER PRIMARY KEY,
  work_id INTEGER NOT NULL,
  -- Its id in Book; null says that it is Open Library's key.
  key TEXT,
  -- JSON of Book.ids; null says that there is none but Open Library's key.
  ids TEXT,
  title TEXT NOT NULL,
  isbn13 INTEGER,
  publisher TEXT NOT NULL,
  published_date TEXT NOT NULL,
  language TEXT NOT NULL,
  page_count INTEGER NOT NULL,
  -- Addresses, or the numbers of covers of Open Library.
  image_links TEXT NOT NULL
) STRICT;
-- Further ISBN-13 of editions that have several.
CREATE TABLE isbn (isbn13 INTEGER NOT NULL, edition_id INTEGER NOT NULL,
  PRIMARY KEY (isbn13, edition_id)) STRICT, WITHOUT ROWID;
`

/**
 * The search tables. A work is what readers mean by a book; an edition has the ISBN. `doc` is the
 * work for searching, `docid` its rank by popularity and `place` its rank by date, so that a query
 * can stop after the first rows and needs no sort.
 */
export const searchSchema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Ids of editions that were found to be the same as another.
CREATE TABLE alias (key TEXT PRIMARY KEY, edition_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE doc (
  docid INTEGER PRIMARY KEY,
  place INTEGER NOT NULL,
  work_id INTEGER NOT NULL,
  edition_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  alt TEXT NOT NULL,
  author TEXT NOT NULL,
  subject TEXT NOT NULL,
  publisher TEXT NOT NULL,
  languages TEXT NOT NULL
) STRICT;
-- Texts are folded before they come here: what is no letter, mark or digit is a space already.
CREATE VIRTUAL TABLE fts USING fts5(
  title, alt, author, subject, publisher,
  content='', contentless_delete=1,
  tokenize="ascii"
);
CREATE VIRTUAL TABLE suggest USING fts5(
  text, content='', contentless_delete=1, detail=none, prefix='1 2 3',
  tokenize="ascii"
);
-- The same with the other titles of works that have any, asked where own titles leave room.
CREATE VIRTUAL TABLE suggest_other USING fts5(
  text, content='', contentless_delete=1, detail=none, prefix='1 2 3',
  tokenize="ascii"
);
-- What a work is about: stems of its title, subjects, details and descriptions.
CREATE VIRTUAL TABLE told USING fts5(
  text, content='', contentless_delete=1, detail=none,
  tokenize="ascii"
);
CREATE TABLE title_key (h INTEGER NOT NULL, docid INTEGER NOT NULL, PRIMARY KEY (h, docid))
  STRICT, WITHOUT ROWID;
CREATE TABLE term (id INTEGER PRIMARY KEY, term TEXT NOT NULL, df INTEGER NOT NULL, weight REAL NOT NULL)
  STRICT;
CREATE TABLE del (h INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (h, id))
  STRICT, WITHOUT ROWID;
-- The series of a work, in its order, and its place there.
CREATE TABLE series_place (series TEXT NOT NULL, work_id INTEGER NOT NULL, name TEXT NOT NULL,
  position TEXT NOT NULL, PRIMARY KEY (series, work_id)) STRICT, WITHOUT ROWID;
CREATE INDEX series_place_work ON series_place (work_id);
-- What editions state of places in series, by the id that a series of this name and author has.
CREATE TABLE series_statement (series TEXT NOT NULL, work_id INTEGER NOT NULL, name TEXT NOT NULL,
  position TEXT NOT NULL, PRIMARY KEY (series, work_id, position)) STRICT, WITHOUT ROWID;
-- Ids of series and authors of earlier indexes, and the ids they lead to.
CREATE TABLE former_id (kind TEXT NOT NULL, id TEXT NOT NULL, now TEXT NOT NULL,
  PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID;
CREATE TABLE curated (section TEXT NOT NULL, position INTEGER NOT NULL, edition_id INTEGER NOT NULL,
  PRIMARY KEY (section, position)) STRICT, WITHOUT ROWID;
`

/** The same full text by place, latest first. */
export const datedSchema = `
CREATE VIRTUAL TABLE dated USING fts5(
  title, alt, author, subject, publisher,
  content='', contentless_delete=1,
  tokenize="ascii"
);
`

/** Created after the editions are inserted, which is cheaper than updating indexes row by row. */
export const editionIndexes = `
CREATE INDEX edition_work ON edition (work_id);
CREATE UNIQUE INDEX edition_key ON edition (key) WHERE key IS NOT NULL;
CREATE INDEX edition_openlibrary ON edition (ids ->> 'openlibrary') WHERE ids IS NOT NULL;
CREATE INDEX edition_isbn13 ON edition (isbn13) WHERE isbn13 IS NOT NULL;
`

/** Created after the works are inserted. */
export const docIndexes = `
CREATE UNIQUE INDEX doc_work ON doc (work_id);
CREATE UNIQUE INDEX doc_place ON doc (place);
`

/** Lower ids are the numbers of Open Library's keys. */
export const ownIds = 2 ** 41

/** @returns the number of an Open Library key such as OL45804W or OL7353617M; null for others */
export function openLibraryNumber(key: string, kind: 'W' | 'M' | 'A'): number | null {
  // Called several times for every line of an import, so avoid a regular expression.
  const end = key.length - 1
  if (key[end] !== kind) return null
  const start = key.lastIndexOf('/') + 1
  const isPath = start > 2 && key.startsWith('/') && key.indexOf('/', 1) === start - 1
  if ((start > 0 && !isPath) || !key.startsWith('OL', start)) return null
  const digits = end - start - 2
  if (digits < 1 || digits > 12) return null
  let number = 0
  for (let i = start + 2; i < end; i++) {
    const digit = key.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return null
    number = 10 * number + digit
  }
  return number
}

/** The highest class of popularity. */
export const topBucket = 63
const bucketSize = 2 ** 34

/**
 * The class of popularity: three classes for every doubling of readers.
 *
 * @param readers how many people read or shelved the work, 0 when unknown
 * @param editions the number of editions; each further one counts as half a reader
 * @returns 0 to {@link topBucket}
 */
export function bucketOf(readers: number, editions: number): number {
  return Math.min(topBucket, Math.round(3 * Math.log2(1 + readers + 0.5 * (editions - 1))))
}

/**
 * @param bucket the class of popularity
 * @param position rank within the class, below 2^34
 * @returns the docid: ascending from most to least popular
 */
export function docidOf(bucket: number, position: number): number {
  return (topBucket - bucket) * bucketSize + position
}

/** @returns the class of popularity of a docid */
export function bucketOfDocid(docid: number): number {
  return topBucket - Math.floor(docid / bucketSize)
}

/** Later than any date, as the number yyyyMMdd. */
const endOfTime = 99_999_999
/** The most works with the same date, so that places stay below 2^53. */
const dateSize = 2 ** 26

/**
 * @param date yyyy, yyyy-MM or yyyy-MM-dd; empty if unknown
 * @returns the exclusive range of places for a date: ascending from latest to earliest, with works
 *   without a date last
 */
export function placeRange(date: string): [before: number, behind: number] {
  const number = Number(date.replaceAll('-', '').padEnd(8, '0')) || 0
  const before = (endOfTime - Math.min(Math.max(number, 0), endOfTime)) * dateSize
  return [before, before + dateSize - 1]
}
