import type { DatabaseSync } from 'node:sqlite'

/** A full text that is written at once never has so many. */
const manyPieces = 1000
const megabyte = 2 ** 20

/**
 * A full text that is about to be written: its pieces are merged once all are there, so that nothing
 * is merged twice.
 *
 * @param held megabytes that are sorted in memory before they are written as a piece
 */
export function holdPieces(db: DatabaseSync, fullText: string, held: number): void {
  db.exec(`INSERT INTO ${fullText} (${fullText}, rank)
    VALUES ('hashsize', ${held * megabyte}), ('automerge', 0), ('crisismerge', ${manyPieces})`)
}

/** Merges its pieces. What is taught to it later is written as SQLite does it unless told. */
export function mergePieces(db: DatabaseSync, fullText: string): void {
  db.exec(`INSERT INTO ${fullText} (${fullText}) VALUES ('optimize');
    INSERT INTO ${fullText} (${fullText}, rank)
      VALUES ('hashsize', ${megabyte}), ('automerge', 4), ('crisismerge', 16)`)
}
