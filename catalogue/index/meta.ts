import { DatabaseSync } from 'node:sqlite'

/** @returns what an index says of itself; nothing when it is missing or no index */
export function metaOf(file: string): Record<string, string | undefined> {
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    const rows = db.prepare('SELECT key, value FROM meta').all()
    return Object.fromEntries(rows.map((row) => [String(row['key']), String(row['value'])]))
  } catch {
    return {}
  }
}
