import { sessionTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** Readers, their settings, shelves, books, what they did, and the mails on their way. */
export const first: Migration = {
  name: 'first',
  statements(dialect) {
    // Text sorts and compares by bytes on both databases.
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const id = `id ${text} PRIMARY KEY`
    const said = `${text} DEFAULT ''`
    const json = `${text} DEFAULT 'null'`
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    const bool = 'BOOLEAN NOT NULL DEFAULT FALSE'
    // As the filter language's :lower compiles, ASCII only, so that the index answers it.
    const lowerUsername =
      dialect === 'postgres'
        ? `TRANSLATE((username)::text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`
        : 'LOWER(username)'

    return [
      `CREATE TABLE users (${id}, email ${said}, "emailVisibility" ${bool}, verified ${bool},
        password ${said}, "tokenKey" ${said}, username ${said}, name ${said}, avatar ${said},
        created ${said}, updated ${said})`,
      `CREATE UNIQUE INDEX users_email_unique ON users (email)`,
      `CREATE UNIQUE INDEX "users_tokenKey_unique" ON users ("tokenKey")`,
      `CREATE UNIQUE INDEX users_username_unique ON users (username)`,
      `CREATE INDEX users_username_lower ON users (${lowerUsername})`,
      `CREATE INDEX users_created ON users (created DESC, id)`,

      `CREATE TABLE settings (${id}, "user" ${said}, background ${said}, "isPrivate" ${bool},
        default_add_status ${said})`,
      `CREATE UNIQUE INDEX settings_user_unique ON settings ("user")`,

      `CREATE TABLE subscriptions (${id}, "user" ${said}, status ${said})`,
      `CREATE UNIQUE INDEX subscriptions_user_unique ON subscriptions ("user")`,

      `CREATE TABLE bookshelves (${id}, "user" ${said}, name ${said}, visibility ${said},
        book_count ${number}, covers ${json}, latest ${json}, created ${said}, updated ${said})`,
      `CREATE INDEX bookshelves_user_created ON bookshelves ("user", created DESC, id)`,

      `CREATE TABLE user_books (${id}, "user" ${said}, shelf ${said}, title ${said},
        authors ${json}, genres ${json}, page_count ${number}, isbn ${said}, images ${json},
        image ${said}, progress ${number}, progress_average ${number}, rating ${number},
        status ${said}, book_key ${said}, created ${said}, updated ${said})`,
      // One copy of a book with an ISBN on a shelf, however parallel the requests.
      `CREATE UNIQUE INDEX user_books_shelf_book_key_unique ON user_books (shelf, book_key)
        WHERE isbn <> ''`,
      `CREATE INDEX user_books_shelf_title ON user_books (shelf, title, id)`,
      `CREATE INDEX user_books_shelf_rating ON user_books (shelf, rating DESC, id)`,
      `CREATE INDEX user_books_user_rating ON user_books ("user", rating DESC, id)`,
      `CREATE INDEX user_books_user_title ON user_books ("user", title, id)`,
      `CREATE INDEX user_books_user_created ON user_books ("user", created DESC, id)`,
      `CREATE INDEX user_books_user_status ON user_books ("user", status, created DESC, id)`,
      `CREATE INDEX user_books_user_isbn ON user_books ("user", isbn)`,
      // A list counts what it may show by owner and shelf: both ways in order, without a sort.
      `CREATE INDEX user_books_user_shelf ON user_books ("user", shelf)`,
      `CREATE INDEX user_books_shelf_user ON user_books (shelf, "user")`,
      // All that a profile's numbers need, without a look at the table.
      `CREATE INDEX user_books_profile ON user_books
        ("user", book_key, shelf, rating, progress, status)`,

      `CREATE TABLE activities (${id}, event_type ${said}, "user" ${said}, book ${said},
        shelf ${said}, "isPrivate" ${bool}, data ${json}, created ${said})`,
      `CREATE INDEX activities_user_created ON activities ("user", created DESC, id)`,
      `CREATE INDEX activities_book_created ON activities (book, created)`,
      `CREATE INDEX activities_shelf ON activities (shelf)`,

      `CREATE TABLE outbox (${id}, recipient ${said}, subject ${said}, text ${said}, html ${said},
        code ${said}, attempts ${number}, created ${said}, due ${said}, expires ${said})`,
      `CREATE INDEX outbox_due ON outbox (due)`,

      ...sessionTables(dialect),
    ]
  },
}
