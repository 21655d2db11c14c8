/**
 * The records of all pages of a list without duplicates: a record added between two fetches shifts
 * the others, so the next page can begin with a known one.
 */
export function uniqueRecords<T extends { id: string }>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.id, record])).values()]
}
