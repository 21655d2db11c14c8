import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { clientContext, fromClause, ruleCondition } from '../access/rule.ts'
import type { Dialect } from '../database/database.ts'
import { postgres } from '../database/postgres-dialect.ts'
import { bind } from '../database/placeholder.ts'
import { sqlite } from '../database/sqlite-dialect.ts'
import { requestOf, schema } from '../records.fixture.ts'
import { collection, Schema, type Collection } from '../schema/collection.ts'
import { fromSql, whereAll } from '../read/statements.ts'
import { compile } from './compile.ts'
import { lex } from './lexer.ts'
import { parse } from './parser.ts'
import { Aliases, Scope } from './scope.ts'
import { compileSort, insertionOrder } from './sort.ts'
import { FilterError } from './tree.ts'

const people = schema.get('people')

function notes(dialect: Dialect) {
  return fromClause({ dialect, schema, viewer: people }, schema.get('notes'))
}

/** The statement after `FROM "notes" AS "t0"`, and its parameters. */
function client(dialect: Dialect, filter: string) {
  const from = notes(dialect)
  const { tokens, literals } = lex(filter)
  const where = whereAll([compile(clientContext(from), parse(tokens))])
  const { sql: text, parameters } = dialect.compile(whereFrom(from, where))
  const values = bind(parameters, { literals, request: requestOf(), now: new Date(0) })
  return { sql: text.slice(' FROM "notes" AS "t0" WHERE '.length), values }
}

function rule(dialect: Dialect, text: string) {
  const from = notes(dialect)
  const where = whereAll([ruleCondition(from, text)])
  return dialect.compile(whereFrom(from, where)).sql.slice(' FROM "notes" AS "t0"'.length)
}

function whereFrom(from: ReturnType<typeof notes>, where: ReturnType<typeof whereAll>) {
  return sql`${fromSql(from)}${where}`
}

/** Searching a long text can be aborted. */
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

  test('is typed for PostgreSQL, and computed text sorts by bytes', () => {
    expect(client(postgres, 'title = "x" && stars > 1 && done = true').sql).toBe(
      '(("t0"."title" = $1::text AND "t0"."stars" > $2::float8 AND ("t0"."done")::int::float8 = $3::float8))',
    )
    expect(client(postgres, 'data.k > "x"').sql).toContain(' END) COLLATE "C" > $1::text')
  })
})

describe('two sides are compared by their types', () => {
  /** SQL in which a JSON value's text and number have names. */
  function readable(dialect: Dialect, filter: string): string {
    const column = sql`${sql.id('t0')}.${sql.id('data')}`
    let text = client(dialect, filter)
      .sql.replace(/^.* WHERE /, '')
      .replaceAll(/\$\d+/g, '?')
    for (const key of ['k', 'l'])
      for (const [name, face] of [
        ['text', dialect.jsonText(column, [key])],
        ['number', dialect.jsonNumber(column, [key])],
      ] as const)
        text = text.replaceAll(dialect.compile(face).sql, `${name}(${key})`)
    return text.replace(/^\((.*)\)$/, '$1')
  }

  test.each([
    ['data.k = "x"', 'text(k) IS NOT DISTINCT FROM ?'],
    ['"x" != data.k', '? IS DISTINCT FROM text(k)'],
    ['data.k = @now', 'text(k) IS NOT DISTINCT FROM ?'],
    ['data.k = 1', 'number(k) IS NOT DISTINCT FROM ?'],
    ['data.k > 1', 'number(k) > ?'],
    ['data.k = true', 'number(k) IS NOT DISTINCT FROM ?'],
    ['data.k = @year', 'number(k) IS NOT DISTINCT FROM ?'],
    ['data.k = title', 'text(k) IS NOT DISTINCT FROM "t0"."title"'],
    ['title = data.k', '"t0"."title" IS NOT DISTINCT FROM text(k)'],
    ['data.k < stars', 'number(k) < "t0"."stars"'],
    ['data.k:each = "x"', 'text(k) IS NOT DISTINCT FROM ?'],
    ['data.12345678 = 1', expect.stringContaining('12345678')],
    ['data.a123456789 = 1', expect.stringContaining('a123456789')],
    ['data.123456789a = 1', expect.stringContaining('123456789a')],
    ['data.k = null', '(text(k) IS NOT DISTINCT FROM ? AND number(k) IS NOT DISTINCT FROM ?)'],
    ['data.k != null', '(text(k) IS DISTINCT FROM ? OR number(k) IS DISTINCT FROM ?)'],
    [
      'data.k = data.l',
      '(text(k) IS NOT DISTINCT FROM text(l) AND number(k) IS NOT DISTINCT FROM number(l))',
    ],
    [
      'data.k != data.l',
      '(text(k) IS DISTINCT FROM text(l) OR number(k) IS DISTINCT FROM number(l))',
    ],
    ['data.k < data.l', '(text(k) < text(l) OR number(k) < number(l))'],
  ])('JSON: %s', (filter, expected) => {
    expect(readable(sqlite, filter)).toEqual(expected)
  })

  test.each([
    ['stars = done', '"t0"."stars" = "t0"."done"'],
    ['stars > owner.score', '"t0"."stars" > "t1"."score"'],
    ['stars = owner.score', '"t0"."stars" IS NOT DISTINCT FROM "t1"."score"'],
    ['owner.score != stars', '"t1"."score" IS DISTINCT FROM "t0"."stars"'],
    ['folder:length = 1', `CASE WHEN "t0"."folder" <> '' THEN 1 ELSE 0 END = ?`],
    ['folder:each = "f"', '"t0"."folder" = ?'],
    ['null = 1', '? IS NOT DISTINCT FROM ?'],
    ['1 != 2', '? <> ?'],
    ['1 = "1"', '? = ?'],
    ['null = ""', '? = ?'],
  ])('columns and values: %s', (filter, expected) => {
    expect(readable(sqlite, filter).replace(/^COALESCE\((.*), FALSE\)$/, '$1')).toBe(expected)
  })

  test.each([
    ['"1" = 1', ['1', '1']],
    ['1 = 1', [1, 1]],
    ['1 = null', [1, null]],
    ['null = "1"', ['', '1']],
    ['true = "x"', ['1', 'x']],
  ])('the values of %s', (filter, values) => {
    expect(client(sqlite, filter).values).toEqual(values)
  })

  test.each([
    ['title < "x"', '"t0"."title" < ?::text'],
    ['"x" < title', '?::text < "t0"."title"'],
    ['"a" < "b"', '(?::text) COLLATE "C" < ?::text'],
    ['title < stars', '"t0"."title" < ("t0"."stars")::text'],
    ['stars:lower < "x"', expect.stringMatching(/^\(.+\) COLLATE "C" < \?::text$/)],
    ['data:lower < "x"', expect.stringMatching(/^\(.+\) COLLATE "C" < \?::text$/)],
    ['strftime("%Y", due) < "x"', expect.stringMatching(/^\(.+\) COLLATE "C" < \?::text$/)],
    ['stars = title', '("t0"."stars")::text = "t0"."title"'],
    ['kinds:each ?< "x"', expect.stringContaining('("t1"."value") COLLATE "C" < ?::text')],
    ['folder.name < "x"', 'COALESCE("t1"."name" < ?::text, FALSE)'],
    ['tags:length < due', expect.stringMatching(/ < "t0"\."due"$/)],
    ['"a" < stars', '?::float8 < "t0"."stars"'],
    ['data.k < data.l', '((text(k)) COLLATE "C" < text(l) OR number(k) < number(l))'],
    [
      'data.k = data.k',
      '(text(k) IS NOT DISTINCT FROM text(k) AND number(k) IS NOT DISTINCT FROM number(k))',
    ],
  ])('PostgreSQL sorts texts by bytes: %s', (filter, expected) => {
    expect(readable(postgres, filter)).toEqual(expected)
  })

  test('a text column is searched as it is, a number column as printed', () => {
    expect(readable(postgres, '"x" ~ title')).toBe(
      `CASE WHEN LENGTH("t0"."title") <= 12000 THEN LOWER((?::text)::text COLLATE "C") LIKE LOWER(('%' || "t0"."title" || '%')::text COLLATE "C") ESCAPE '\\' END`,
    )
    expect(readable(postgres, '5 !~ stars')).toContain(`'%' || ("t0"."stars")::text || '%'`)
    expect(readable(postgres, '5 !~ stars')).toMatch(/^NOT \(CASE /)
  })

  test('a search pattern of more than 12000 characters matches nothing', () => {
    const pattern = (length: number) =>
      client(postgres, `title ~ ${JSON.stringify('x'.repeat(length))}`).values
    expect(pattern(12_000)).toEqual([`%${'x'.repeat(12_000)}%`])
    expect(pattern(12_001)).toEqual([null])
    expect(client(postgres, 'title ~ null').values).toEqual([null])
  })
})

test('a rule joins a to-one relation once, and searches a to-many relation in a subquery', () => {
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

test('a back-relation by a unique field is a single record', () => {
  expect(rule(sqlite, 'owner.card_via_owner.hidden = false')).toBe(
    ' LEFT JOIN "people" AS "t1" ON "t1"."id" = "t0"."owner"' +
      ` LEFT JOIN "card" AS "t2" ON "t2"."owner" = "t1"."id" AND "t2"."owner" <> ''` +
      ' WHERE ("t2"."hidden" IS NOT DISTINCT FROM ?)',
  )
})

test('a client only sees rows it may list, whatever the relation', () => {
  const from = notes(sqlite)
  const { tokens } = lex('owner.card_via_owner.hidden != true')
  const where = whereAll([compile(clientContext(from), parse(tokens))])
  expect(sqlite.compile(whereFrom(from, where)).sql).toBe(
    ' FROM "notes" AS "t0"' +
      ' LEFT JOIN "people" AS "t1" ON "t1"."id" = "t0"."owner" AND EXISTS (SELECT 1 FROM (SELECT 1) AS "t3"' +
      ` LEFT JOIN "card" AS "t2" ON "t2"."owner" = "t1"."id" AND "t2"."owner" <> ''` +
      ' WHERE (("t1"."id" = ? OR "t2"."hidden" IS NOT DISTINCT FROM ?)))' +
      ` LEFT JOIN "card" AS "t4" ON "t4"."owner" = "t1"."id" AND "t4"."owner" <> '' AND ("t4"."owner" = ?)` +
      ' WHERE (COALESCE("t4"."hidden" IS DISTINCT FROM ?, FALSE))',
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
  'data.123456789 = 1',
  'data.k.123456789 = 1',
  'data.a:b.c = 1',
  'title.stars = 1',
  'title.lon = 1',
  'hint.title = "x"',
  'place.title = "x"',
  'place.xlon = 1',
  'place.lonx = 1',
  'folder.id.x = 1',
  'folder.notes_via_owner.title ?= "x"',
  'owner.notes_via_folder.title ?= "x"',
  'title:lower:lower = 1',
  'owner..name = 1',
  'place.lon.x = 1',
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
])('a client can’t use %s', (filter) => expect(() => client(sqlite, filter)).toThrow(FilterError))

test('a client may compare twenty to-many relations, each with one to-many hop', () => {
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
  const within = 'geoDistance(0, tags.weight, 0, 0)'
  expect(() => client(sqlite, times(20, within))).not.toThrow()
  expect(() => client(sqlite, times(21, within))).toThrow(FilterError)
  expect(() => client(sqlite, `${times(21)} || folder.name = "x"`)).toThrow(FilterError)
  const turned = Array.from({ length: 21 }, () => '"x" ?= tags.name').join(' || ')
  expect(() => client(sqlite, turned)).toThrow(FilterError)
  expect(() => client(sqlite, times(3, further))).not.toThrow()
  expect(() => client(sqlite, times(4, further))).toThrow(FilterError)
})

test.each([
  'tags.name ?= owner.notes_via_owner.title',
  'geoDistance(owner.notes_via_owner.stars, owner.folders_via_owner.secret, 0, 0) ?< 1',
  '(tags.name ?= "x" || owner.notes_via_owner.title ?= "x") && tags.weight ?> 1',
  '(tags.name = "x" || stars = 1) && tags.weight ?> 1',
])('a client can’t multiply two to-many relations: %s', (filter) => {
  expect(() => client(sqlite, filter)).toThrow(FilterError)
  expect(() => rule(sqlite, filter)).not.toThrow()
})

test('a condition on every related record is evaluated once per row, not once per related record', () => {
  const found = client(sqlite, 'tags.name != "x" && tags.weight ?> 1').sql
  expect(found).toMatch(/^\(\(EXISTS \(.+\) AND NOT EXISTS \(.+\)\)\)$/)
  expect(found.split(' AND NOT EXISTS (')[0]).toContain('"weight" > ?')
})

test('an alternative to a to-many condition is evaluated separately', () => {
  const found = client(sqlite, 'tags.name = "x" || title = "y"').sql
  expect(found).toMatch(/^\(\(\(EXISTS \(.+\) AND NOT EXISTS \(.+\)\) OR "t0"\."title" = \?\)\)$/)
  const one = client(sqlite, 'title = "y" && tags.name ?= "x"').sql
  expect(one).toMatch(/^\(\("t0"\."title" = \? AND EXISTS \(.+\)\)\)$/)
})

test('a condition on every related record has no counterexample', () => {
  const values = (alias: string) =>
    `LEFT JOIN json_each(CASE WHEN json_valid("t0"."kinds") AND json_type("t0"."kinds") = 'array' THEN "t0"."kinds" ELSE '[]' END) AS "${alias}" ON TRUE`
  expect(rule(sqlite, 'kinds:each = "a"')).toBe(
    ` WHERE ((EXISTS (SELECT 1 FROM (SELECT 1) AS "t4" ${values('t1')} WHERE COALESCE("t1"."value", '') = ?)` +
      ` AND NOT EXISTS (SELECT 1 FROM (SELECT 1) AS "t3" ${values('t2')} WHERE NOT (COALESCE("t2"."value", '') = ?))))`,
  )
})

test('comparisons of the same relation refer to the same record, also through one another', () => {
  const searches = (text: string) => rule(sqlite, text).split('EXISTS (').length - 1
  const tag = 'tags.name ?= "x"'
  const note = 'owner.notes_via_owner.title ?= "y"'
  const both = 'tags.weight ?= owner.notes_via_owner.stars'
  expect(searches(`${tag} && tags.weight ?> 1`)).toBe(1)
  expect(searches(`${tag} && ${note}`)).toBe(2)
  expect(searches(`${note} && owner.notes_via_owner.folder.name ?= "z"`)).toBe(1)
  expect(searches(`${note} && owner.folders_via_owner.name ?= "z"`)).toBe(2)
  expect(searches(`${tag} && ${note} && ${both}`)).toBe(1)
  expect(searches(`${tag} && kinds:each ?= "a" && ${note} && ${both}`)).toBe(2)
  expect(searches(`${tag} && ${note} && ${both} && owner.notes_via_owner.stars ?> 1`)).toBe(1)
  expect(searches(`${tag} && ${note} && kinds:each ?= "a" && ${both}`)).toBe(2)
  const third = `owner.notes_via_owner.title ?= kinds:each && ${both} && kinds:each ?= "b"`
  expect(searches(`${tag} && ${third}`)).toBe(1)
  expect(searches(`${note} && folder.owner.notes_via_owner.title ?= "z"`)).toBe(2)
  expect(rule(sqlite, `${tag} && ${note} && ${both}`)).toContain('"title"')
  expect(() => client(sqlite, `${tag} && kinds:each ?= "a"`)).not.toThrow()
  expect(() => client(sqlite, 'title = "y" && (tags.name = "x" || stars = 1)')).not.toThrow()
  expect(() => client(sqlite, `${tag} && (tags.weight > 1 && title = "y")`)).not.toThrow()
  expect(rule(sqlite, '(tags.name = "x" || stars = 1) && tags.weight ?> 1')).toContain('NOT EXISTS')
})

test('a value known to be a number is compared as one', () => {
  const compared = (text: string) => rule(postgres, text).replace(/^ WHERE \((.*)\)$/, '$1')
  const numbers = '$1::float8 = $2::float8'
  const texts = '$1::text = $2::text'
  expect(compared('@request.body.title:isset = @request.body.stars:isset')).toBe(numbers)
  expect(compared('@request.body.tags:length = @request.body.kinds:length')).toBe(numbers)
  expect(compared('@request.body.title = @request.body.stars')).toBe(texts)
  expect(compared('@request.body.title:lower = @request.query.n')).toBe(texts)
  expect(compared('@request.body.title:changed = stars')).toBe(
    'CASE WHEN $1::float8 = $2::float8 AND "t0"."title" <> $3::text THEN 1 ELSE 0 END = "t0"."stars"',
  )
})

test('a client can’t follow a hidden relation backwards', () => {
  const rules = { list: '', view: '', create: '', update: '', delete: '' }
  const by = { type: 'relation', collection: 'words' } as const
  const words = collection({ name: 'words', fields: [{ name: 'text', type: 'text' }], rules })
  const uses = collection({
    name: 'uses',
    fields: [
      { name: 'shown', ...by, readable: 'everyone' },
      { name: 'hidden', ...by, readable: 'nobody' },
      { name: 'note', type: 'text' },
      { name: 'file', type: 'file' },
    ],
    unique: [['shown', 'note']],
    rules,
  })
  const context = { dialect: sqlite, schema: new Schema([words, uses]), viewer: undefined }
  const ask = (filter: string, from: Collection = words) => {
    const made = compile(clientContext(fromClause(context, from)), parse(lex(filter).tokens))
    return sqlite.compile(made).sql
  }
  // The unique index has a second column, so the back-relation isn't single.
  expect(ask('uses_via_shown.id ?= "x"')).toContain('EXISTS')
  expect(() => ask('uses_via_hidden.id ?= "x"')).toThrow(FilterError)
  expect(ruleCondition(fromClause(context, words), 'uses_via_hidden.id ?= "x"')).toBeDefined()
  expect(() => ask('hidden = "x"', uses)).toThrow(FilterError)
  expect(ask('shown = "x" && file:length = 1', uses)).toContain('"t0"."shown" = ?')
})

test('a function’s argument from a related record is only evaluated if the viewer may see it', () => {
  const guarded = / WHERE \(COALESCE\(.+, FALSE\)\)$/
  expect(client(sqlite, 'geoDistance(owner.score, 0, 0, 0) < 5').sql).toMatch(guarded)
  expect(client(sqlite, 'geoDistance(stars, 0, 0, 0) < 5').sql).not.toContain(', FALSE)')
  expect(client(sqlite, 'geoDistance(owner.email, 0, 0, 0) < 5').sql).toMatch(/\(FALSE\)$/)
})

test('a search in very many related rows can be aborted', () => {
  expect(client(sqlite, 'owner.notes_via_owner.title ?= "x"').sql).toContain('in_time()')
  expect(client(sqlite, 'owner.name = "x"').sql).not.toContain('in_time()')
  // PostgreSQL has its own timeout.
  expect(client(postgres, 'owner.notes_via_owner.title ?= "x"').sql).not.toContain('in_time()')
})

test('a client may sort by two to-many relations, or by one with a further relation', () => {
  const sort = (text: string) => compileSort(clientContext(notes(sqlite)), text)
  const title = 'owner.notes_via_owner.title'
  expect(() => sort(`${title},-tags.name,stars,owner.name`)).not.toThrow()
  expect(() => sort('owner.notes_via_owner.folder.name')).not.toThrow()
  expect(() => sort(`@random,${title},-tags.name`)).not.toThrow()
  expect(sort('')).toEqual([])
  expect(() => sort(`${title},-tags.name,tags.weight`)).toThrow(FilterError)
  expect(() => sort(`${title},-tags.name,tags.weight,stars,owner.name`)).toThrow(FilterError)
  expect(() => sort(`@random,${title},-tags.name,tags.weight`)).toThrow(FilterError)
  expect(() => sort('owner.notes_via_owner.folder.owner.name')).toThrow(FilterError)
})

describe('a sort', () => {
  const order = (dialect: Dialect, text: string) =>
    compileSort(clientContext(notes(dialect)), text).map((term) => dialect.compile(term).sql)
  const id = '"t0"."id"'

  test.each([
    ['title', ['"t0"."title"', id]],
    [' -stars, + title ', ['"t0"."stars" DESC', '"t0"."title"', id]],
    ['id', [id]],
    ['title,-id', ['"t0"."title"', `${id} DESC`]],
    ['@random', ['RANDOM()']],
    ['title,@random', ['"t0"."title"', 'RANDOM()']],
    ['owner.name', [`COALESCE("t1"."name", '')`, id]],
    ['owner.score', ['"t1"."score" NULLS FIRST', id]],
    ['-owner.score', ['"t1"."score" DESC NULLS LAST', id]],
    ['data', [expect.stringMatching(/ NULLS FIRST$/), expect.stringMatching(/ NULLS FIRST$/), id]],
    [
      '-data.k',
      [expect.stringMatching(/ DESC NULLS LAST$/), expect.stringMatching(/ DESC NULLS LAST$/), id],
    ],
    ['tags.weight', [expect.stringMatching(/^\(SELECT MIN\("t2"."weight"\) .+ NULLS FIRST$/), id]],
    [
      '-tags.weight',
      [expect.stringMatching(/^\(SELECT MAX\("t2"."weight"\) .+ DESC NULLS LAST$/), id],
    ],
  ])('by %s, then in order of creation', (text, terms) => {
    expect(order(sqlite, text)).toEqual(terms)
  })

  test('compares bytes on PostgreSQL, too', () => {
    expect(order(postgres, 'title')).toEqual(['"t0"."title"', id])
    expect(order(postgres, 'data')[0]).toMatch(/^\(.+\) COLLATE "C" NULLS FIRST$/)
    expect(order(postgres, 'stars:lower')[0]).toMatch(/^\(.+\) COLLATE "C"$/)
  })

  test('has at most eight fields, and names of limited length', () => {
    const fields = (n: number) => Array.from({ length: n }, () => 'title').join()
    expect(order(sqlite, fields(8))).toHaveLength(9)
    expect(() => order(sqlite, fields(9))).toThrow(FilterError)
    expect(() => order(sqlite, `data.${'k'.repeat(250)}`)).not.toThrow()
    expect(() => order(sqlite, `data.${'k'.repeat(251)}`)).toThrow(FilterError)
  })

  test('defaults to the order of creation', () => {
    const { row: _, ...rows } = notes(sqlite)
    const made = (dialect: Dialect, name: string) =>
      insertionOrder({ ...rows, dialect, collection: schema.get(name) }).map(
        (term) => dialect.compile(term).sql,
      )
    expect(made(sqlite, 'notes')).toEqual(['"t0"."rowid"'])
    expect(made(sqlite, 'digest')).toEqual([id])
    expect(made(postgres, 'notes')).toEqual(['"t0"."created"', id])
    expect(made(postgres, 'folders')).toEqual([id])
  })
})

test.each([
  'owner.email',
  'ti-tle',
  'title!',
  '%title',
  'my title',
  '@request.auth.id',
  'nothing',
  'title,',
  ' ',
  '+-title',
  '-',
])('a client can’t sort by "%s"', (text) =>
  expect(() => compileSort(clientContext(notes(sqlite)), text)).toThrow(FilterError),
)

test('six relations are not too many', () => {
  expect(() => client(sqlite, 'folder.parent.parent.parent.parent.parent.name = "x"')).not.toThrow()
})

test('a filter can’t join more tables than a database allows', () => {
  const scope = new Scope(new Aliases())
  const join = (key: string) => scope.join(key, (alias) => sql.id(alias))
  for (let i = 0; i < 32; i++) join(`table ${i}`)
  expect(join('table 3')).toBe('t3')
  expect(() => join('one more')).toThrow(FilterError)
})

test('fields called null, true and false are those fields', () => {
  const rules = { list: '', view: '', create: '', update: '', delete: '' }
  const words = collection({
    name: 'words',
    fields: [
      { name: 'null', type: 'text' },
      { name: 'True', type: 'text' },
    ],
    rules,
  })
  const context = { dialect: sqlite, schema: new Schema([words]), viewer: undefined }
  const where = (filter: string) => {
    const from = fromClause(context, words)
    return sqlite.compile(compile(clientContext(from), parse(lex(filter).tokens))).sql
  }
  expect(where('null = True')).toBe('"t0"."null" = "t0"."True"')
  expect(where('null != NULL')).toBe('"t0"."null" <> ?')
  expect(where('True = true')).toBe('"t0"."True" = ?')
})
