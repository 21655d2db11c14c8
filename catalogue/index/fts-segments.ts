import type { DatabaseSync } from 'node:sqlite'

/** More segments than a full-text table ever has. */
const manySegments = 1000
const megabyte = 2 ** 20

/**
 * Keeps FTS5 from merging segments while a full-text table is filled; {@link mergeSegments} merges
 * them once all are there.
 *
 * @param held megabytes that are sorted in memory before they are written as a segment
 */
export function deferMerges(db: DatabaseSync, fullText: string, held: number): void {
  db.exec(`INSERT INTO ${fullText} (${fullText}, rank)
    VALUES ('hashsize', ${held * megabyte}), ('automerge', 0), ('crisismerge', ${manySegments})`)
}

/** Merges the segments and sets SQLite's defaults again for what is written later. */
export function mergeSegments(db: DatabaseSync, fullText: string): void {
  db.exec(`INSERT INTO ${fullText} (${fullText}) VALUES ('optimize');
    INSERT INTO ${fullText} (${fullText}, rank)
      VALUES ('hashsize', ${megabyte}), ('automerge', 4), ('crisismerge', 16)`)
}
