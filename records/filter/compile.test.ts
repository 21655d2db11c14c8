import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { clientView, rowsOf, ruleCondition } from '../access/rule.ts'
import type { Dialect } from '../database/database.ts'
import { postgres } from '../database/postgres-dialect.ts'
import { bind } from '../database/slot.ts'
import { sqlite } from '../database/sqlite-dialect.ts'
import { requestOf, schema } from '../fixture.ts'
import { collection, Schema } from '../schema/collection.ts'
import { fromRows, whereAll } from '../statements.ts'
import { compile } from './compile.ts'
import { lex } from './lexer.ts'
import { parse } from './parser.ts'
import { Aliases, Scope } from './scope.ts'
import { compileSort } from './sort.ts'
import { FilterError } from './tree.ts'

const people = schema.get('people')

function notes(dialect: Dialect) {
  return rowsOf({ dialect, schema, viewer: people }, schema.get('notes'))
}

/** The statement after `FROM "notes" AS "t0"`, and what it is bound with. */
function client(dialect: Dialect, filter: string) {
  const rows = notes(dialect)
  const { tokens, literals } = lex(filter)
  const where = whereAll([compile(clientView(rows), parse(tokens))])
  const { sql: text, parameters } = dialect.compile(whereFrom(rows, where))
  const values = bind(parameters, { literals, request: requestOf(), now: new Date(0) })
  return { sql: text.slice(' FROM "notes" AS "t0" WHERE '.length), values }
}

function rule(dialect: Dialect, text: string) {
  const rows = notes(dialect)
  const where = whereAll([ruleCondition(rows, text)])
  return dialect.compile(whereFrom(rows, where)).sql.slice(' FROM "notes" AS "t0"'.length)
}

function whereFrom(rows: ReturnType<typeof notes>, where: ReturnType<typeof whereAll>) {
  return sql`${fromRows(rows)}${where}`
}

/** A long text is searched in a way that can be ended. */
const inTitle = `CASE WHEN octet_length("t0"."title") > 1000 THEN like_in_time("t0"."title", ?) ELSE "t0"."title" LIKE ? ESCAPE '\\' END`

describe('a comparison', () => {
  test.each([
    ['title = "x"', '("t0"."title" = ?)', ['x']],
    ['title = null', '("t0"."title" = ?)', ['']],
    ['title != ""', '("t0"."title" <> ?)', ['']],
    ['title > "x"', '("t0"."title" > ?)', ['x']],
    ['title = 5', '("t0"."title" = ?)', ['5']],
    ['stars >= 3', '("t0"."stars" >= ?)', [3]],
    ['stars = "3"', '("t0"."stars" IS NOT DISTINCT FROM ?)', [3]],
    ['stars = ""', '("t0"."stars" IS NOT DISTINCT FROM ?)', [null]],
    ['done = true', '("t0"."done" = ?)', [1]],
    ['title ~ "50%_"', `(${inTitle})`, ['50%_', '50%_']],
    ['title !~ "a_b"', `(NOT (${inTitle}))`, ['%a\\_b%', '%a\\_b%']],
    ['title:lower = "x"', '(LOWER("t0"."title") = ?)', ['x']],
    ['due < @now', '("t0"."due" < ?)', ['1970-01-01 00:00:00.000Z']],
    ['@year = 1970', '(? = ?)', [1970, 1970]],
    ['folder.id = "f"', '("t0"."folder" = ?)', ['f']],
    [
      'title = "a" || stars = 1 && done = false',
      '(("t0"."title" = ? OR ("t0"."stars" = ? AND "t0"."done" = ?)))',
      ['a', 1, 0],
    ],
    ['owner.email ~ "@"', '(FALSE)', []],
    ['owner.email:lower != "x"', '(FALSE)', []],
  ])('%s', (filter, text, values) => {
    const found = client(sqlite, filter)
    expect(found.sql.replace(/^.* WHERE /, '')).toBe(text)
    expect(found.values).toEqual(values)
  })

  test('is typed for PostgreSQL, which sorts what it makes itself by bytes', () => {
    expect(client(postgres, 'title = "x" && stars > 1 && done = true').sql).toBe(
      '(("t0"."title" = $1::text AND "t0"."stars" > $2::float8 AND ("t0"."done")::int::float8 = $3::float8))',
    )
    expect(client(postgres, 'data.k > "x"').sql).toContain(' END) COLLATE "C" > $1::text')
  })
})

test('a rule joins a relation to one once, and looks for many in a subquery', () => {
  expect(rule(sqlite, 'folder.name = "x" && folder.owner.name != "y"')).toBe(
    ' LEFT JOIN "folders" AS "t1" ON "t1"."id" = "t0"."folder" LEFT JOIN "people" AS "t2" ON "t2"."id" = "t1"."owner"' +
      ` WHERE ((COALESCE("t1"."name", '') = ? AND COALESCE("t2"."name", '') <> ?))`,
  )
  expect(rule(sqlite, 'owner.folders_via_owner.name ?= "x"')).toBe(
    ' LEFT JOIN "people" AS "t1" ON "t1"."id" = "t0"."owner"' +
      ' WHERE (EXISTS (SELECT 1 FROM (SELECT 1) AS "t3"' +
      ` LEFT JOIN "folders" AS "t2" ON "t2"."owner" = "t1"."id" AND "t2"."owner" <> ''` +
      ` WHERE COALESCE("t2"."name", '') = ?))`,
  )
})

test('a back-relation of a unique field is one record', () => {
  expect(rule(sqlite, 'owner.card_via_owner.hidden = false')).toBe(
    ' LEFT JOIN "people" AS "t1" ON "t1"."id" = "t0"."owner"' +
      ` LEFT JOIN "card" AS "t2" ON "t2"."owner" = "t1"."id" AND "t2"."owner" <> ''` +
      ' WHERE ("t2"."hidden" IS NOT DISTINCT FROM ?)',
  )
})

test('a client meets only rows it may list, whatever the relation', () => {
  const rows = notes(sqlite)
  const { tokens } = lex('owner.card_via_owner.hidden != true')
  const where = whereAll([compile(clientView(rows), parse(tokens))])
  expect(sqlite.compile(whereFrom(rows, where)).sql).toBe(
    ' FROM "notes" AS "t0"' +
      ' LEFT JOIN "people" AS "t1" ON "t1"."id" = "t0"."owner" AND EXISTS (SELECT 1 FROM (SELECT 1) AS "t3"' +
      ` LEFT JOIN "card" AS "t2" ON "t2"."owner" = "t1"."id" AND "t2"."owner" <> ''` +
      ' WHERE (("t1"."id" = ? OR "t2"."hidden" IS NOT DISTINCT FROM ?)))' +
      ` LEFT JOIN "card" AS "t4" ON "t4"."owner" = "t1"."id" AND "t4"."owner" <> '' AND ("t4"."owner" = ?)` +
      ' WHERE (COALESCE(("t4"."id" IS NOT NULL AND "t4"."hidden" IS DISTINCT FROM ?), FALSE))',
  )
})

test.each([
  'nothing = 1',
  'hint = "x"',
  'owner.code = "x"',
  'owner.password = "x"',
  'owner.tokenKey ~ "a"',
  'owner.verified = true',
  'title.x = 1',
  'title:each = "a"',
  'title:length = 1',
  'title:isset = true',
  'title:upper = "A"',
  'data:length = 1',
  'owner = 1 && @request.auth.id = "x"',
  '@collection.tags.name ?= "x"',
  '@nothing = 1',
  '@rowid > 1',
  'owner.vault_via_owner.word ?= "x"',
  'owner.vault_via_owner = "x"',
  'owner.folders_via_nothing.name = "x"',
  'folder.parent.parent.parent.parent.parent.parent.name = "x"',
  'constructor = 1',
  '__proto__ = 1',
])('a client cannot name what is in %s', (filter) =>
  expect(() => client(sqlite, filter)).toThrow(FilterError),
)

test('a client may ask about twenty times many, through one relation to many', () => {
  const through = (n: number) => `${'owner.notes_via_owner.'.repeat(n)}title ?= "x"`
  expect(() => client(sqlite, through(1))).not.toThrow()
  expect(() => client(sqlite, through(2))).toThrow(FilterError)
  expect(() => rule(sqlite, through(2))).not.toThrow()
  const times = (n: number, path = 'tags.name') =>
    Array.from({ length: n }, () => `${path} ?= "x"`).join(' || ')
  expect(() => client(sqlite, times(20))).not.toThrow()
  expect(() => client(sqlite, times(21))).toThrow(FilterError)
  expect(() => rule(sqlite, times(21))).not.toThrow()
  const further = 'owner.notes_via_owner.folder.name'
  expect(() => client(sqlite, times(3, further))).not.toThrow()
  expect(() => client(sqlite, times(4, further))).toThrow(FilterError)
})

test.each([
  'tags.name ?= owner.notes_via_owner.title',
  'geoDistance(owner.notes_via_owner.stars, owner.folders_via_owner.secret, 0, 0) ?< 1',
  '(tags.name ?= "x" || owner.notes_via_owner.title ?= "x") && tags.weight ?> 1',
  '(tags.name = "x" || stars = 1) && tags.weight ?> 1',
])('a client cannot have many multiplied by many: %s', (filter) => {
  expect(() => client(sqlite, filter)).toThrow(FilterError)
  expect(() => rule(sqlite, filter)).not.toThrow()
})

test('what must hold for every one of many is asked once a row, not once for each of the many', () => {
  const found = client(sqlite, 'tags.name != "x" && tags.weight ?> 1').sql
  expect(found).toMatch(/^\(\(EXISTS \(.+\) AND NOT EXISTS \(.+\)\)\)$/)
  expect(found.split(' AND NOT EXISTS (')[0]).toContain('"weight" > ?')
})

test('a client may sort by two relations to many, or by what one of them leads to', () => {
  const sort = (text: string) => compileSort(clientView(notes(sqlite)), text)
  const title = 'owner.notes_via_owner.title'
  expect(() => sort(`${title},-tags.name,stars,owner.name`)).not.toThrow()
  expect(() => sort('owner.notes_via_owner.folder.name')).not.toThrow()
  expect(() => sort(`${title},-tags.name,tags.weight`)).toThrow(FilterError)
  expect(() => sort('owner.notes_via_owner.folder.owner.name')).toThrow(FilterError)
})

test('six relations are not too many', () => {
  expect(() => client(sqlite, 'folder.parent.parent.parent.parent.parent.name = "x"')).not.toThrow()
})

test('a filter cannot join more tables than a database takes', () => {
  const scope = new Scope(new Aliases())
  const join = (key: string) => scope.join(key, (alias) => sql.id(alias))
  for (let i = 0; i < 32; i++) join(`table ${i}`)
  expect(join('table 3')).toBe('t3')
  expect(() => join('one more')).toThrow(FilterError)
})

test('a field called null is that field, and so are true and false', () => {
  const rules = { list: '', view: '', create: '', update: '', delete: '' }
  const words = collection({
    name: 'words',
    fields: [
      { name: 'null', type: 'text' },
      { name: 'True', type: 'text' },
    ],
    rules,
  })
  const asker = { dialect: sqlite, schema: new Schema([words]), viewer: undefined }
  const where = (filter: string) => {
    const rows = rowsOf(asker, words)
    return sqlite.compile(compile(clientView(rows), parse(lex(filter).tokens))).sql
  }
  expect(where('null = True')).toBe('"t0"."null" = "t0"."True"')
  expect(where('null != NULL')).toBe('"t0"."null" <> ?')
  expect(where('True = true')).toBe('"t0"."True" = ?')
})
