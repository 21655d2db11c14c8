/**
 * The records of all pages of a list, each once: what was added meanwhile moves the others on by
 * one, so that the next page can begin with a known one.
 */
export function uniqueRecords<T extends { id: string }>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.id, record])).values()]
}
