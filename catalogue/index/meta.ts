import { DatabaseSync } from 'node:sqlite'

/** @returns an index's metadata; empty if it is missing or not an index */
export function metaOf(file: string): Record<string, string | undefined> {
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    const rows = db.prepare('SELECT key, value FROM meta').all()
    return Object.fromEntries(rows.map((row) => [String(row['key']), String(row['value'])]))
  } catch {
    return {}
  }
}
