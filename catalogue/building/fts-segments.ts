import type { DatabaseSync } from 'node:sqlite'

/** More segments than any full-text table has. */
const manySegments = 1000
const megabyte = 2 ** 20

/**
 * Stops FTS5 from merging segments while a full-text table is filled; {@link mergeSegments} merges
 * them at the end.
 *
 * @param held megabytes to sort in memory before a segment is written
 */
export function deferMerges(db: DatabaseSync, fullText: string, held: number): void {
  db.exec(`INSERT INTO ${fullText} (${fullText}, rank)
    VALUES ('hashsize', ${held * megabyte}), ('automerge', 0), ('crisismerge', ${manySegments})`)
}

/** Merges the segments and restores SQLite's defaults for later writes. */
export function mergeSegments(db: DatabaseSync, fullText: string): void {
  db.exec(`INSERT INTO ${fullText} (${fullText}) VALUES ('optimize');
    INSERT INTO ${fullText} (${fullText}, rank)
      VALUES ('hashsize', ${megabyte}), ('automerge', 4), ('crisismerge', 16)`)
}
