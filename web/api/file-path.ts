/** A record with files, of a collection that either its id or its name tells. */
interface FileOwner {
  id: string
  collectionId?: string
  collectionName?: string
}

/**
 * @param thumb the size of the picture, as in `100x50f`
 * @returns the path of a record's file, the same in the server and in the browser
 */
export function filePath(record: FileOwner, name: string, thumb: string): string {
  const collection = record.collectionId ?? record.collectionName ?? ''
  return `/api/files/${collection}/${record.id}/${encodeURIComponent(name)}?thumb=${thumb}`
}
