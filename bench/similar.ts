/**
 * "More like this" on real readers: `npm run bench -- similar FILE.csv.gz...`, lines of a reader and
 * a book. Three questions, each with half held back, see ./similar-readers.ts and ./similar-pages.ts.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { judgeReaders } from './similar-readers.ts'
import { judgePages } from './similar-pages.ts'
import { table } from './table.ts'

export async function similar(files: readonly string[]): Promise<void> {
  if (files.length === 0) throw new Error('npm run bench -- similar FILE.csv.gz...')
  const head = ['Recall@20', 'popularity', 'together', 'times', 'most there is']
  for (const file of files) {
    const libraries = read(file)
    const books = new Set([...libraries.values()].flat()).size
    const rows = [...(await judgeReaders(libraries)), ...(await judgePages(libraries))]
    console.log(`### ${basename(file)}: ${libraries.size} readers, ${books} books\n`)
    console.log(
      table([
        head,
        ...rows.map(({ name, fame, near, most }) => [
          name,
          fame.toFixed(3),
          near.toFixed(3),
          (near / fame).toFixed(2),
          most?.toFixed(3) ?? '',
        ]),
      ]),
    )
  }
}

/** @returns the books of each reader who has two or more */
function read(file: string): Map<string, string[]> {
  const [, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  const rows = lines.map((line) => line.split(','))
  const readers = [...Map.groupBy(rows, ([reader = '']) => reader)]
  return new Map(
    readers
      .filter(([, shelved]) => shelved.length > 1)
      .map(([reader, shelved]) => [reader, shelved.map(([, book = '']) => book)]),
  )
}
