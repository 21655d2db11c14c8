import type { Migration } from './migration.ts'

/** The names of the shelf that "Want to read" made until now, in every language. */
const names = [
  'want to read',
  'will ich lesen',
  'à lire',
  // Both databases only lower the letters A to Z.
  'À lire',
  'a lire',
  'quiero leer',
  'quero ler',
  '読みたい',
  'أريد قراءتها',
]

/** The crc32 that `bookshelves` has as its collection's id. */
const bookshelves = 'pbc_629558405'

/**
 * What a shelf is for, whatever its name: `want` for the one that "Want to read" fills. A reader has
 * one; of several with its name it is the one with the most books.
 */
export const shelfKind: Migration = {
  name: 'shelf-kind',
  statements(dialect) {
    const isPostgres = dialect === 'postgres'
    const text = isPostgres ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const list = names.map((name) => `'${name}'`).join(', ')
    const [named, wanted] = isPostgres
      ? [`data::jsonb ->> 'name'`, `(data::jsonb || '{"kind":"want"}'::jsonb)::text`]
      : [`json_extract(data, '$.name')`, `json_set(data, '$.kind', 'want')`]
    return [
      `ALTER TABLE bookshelves ADD COLUMN kind ${text} DEFAULT ''`,
      `UPDATE bookshelves SET kind = 'want' WHERE id IN (SELECT id FROM
        (SELECT id, ROW_NUMBER() OVER
          (PARTITION BY "user" ORDER BY book_count + private_count DESC, created, id) AS place
          FROM bookshelves WHERE LOWER(name) IN (${list})) named
        WHERE place = 1)`,
      `CREATE UNIQUE INDEX bookshelves_user_kind_unique ON bookshelves ("user", kind)
        WHERE kind <> ''`,
      // Those in the trash come back as such.
      `UPDATE "_removedRecords" SET data = ${wanted}
        WHERE collection = '${bookshelves}' AND LOWER(${named}) IN (${list})`,
    ]
  },
}
