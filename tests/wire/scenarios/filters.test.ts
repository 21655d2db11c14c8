import { beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { idsIn, openFixture, type Fixture, type Caller } from './fixture.ts'

const refused = '400 Something went wrong while processing your request.'

describeDatabases('filters', (open) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture(await open())
    return () => fixture.records.close()
  })

  async function find(who: Caller, collection: string, filter: string): Promise<string> {
    const sort = collection === 'notes' ? 'created,id' : 'id'
    return idsIn(await fixture.ask(who, `GET ${collection}?sort=${sort}&filter=${filter}`))
  }

  describe('the grammar', () => {
    test.each([
      ['title="Alpha"', 'n1'],
      ['  title\t=\n"Alpha"  ', 'n1'],
      ['(title = "Alpha")', 'n1'],
      ['((((title = "Alpha"))))', 'n1'],
      ['title = "Alpha" // said', 'n1'],
      ['title = // the one\n "Alpha"', 'n1'],
      ['// first\ntitle = "Alpha"', 'n1'],
      ["title = 'Alpha'", 'n1'],
      ['"Alpha" = title', 'n1'],
      ['5 = stars', 'n1'],
      ['score = -2', 'n2'],
      ['score = 1.5', 'n1'],
      ['score = 1.50', 'n1'],
      ['1 = 1', 'n1 n2 n4'],
      ['1 = 2', ''],
      ['"a" = "a"', 'n1 n2 n4'],
      ['null = ""', 'n1 n2 n4'],
      ['true = 1', 'n1 n2 n4'],
      ['title = "Alpha" || stars = 3', 'n1 n2'],
      ['title = "Alpha" && stars = 3', ''],
      ['stars = 3 || stars = 5 && done = false', 'n2'],
      ['(stars = 3 || stars = 5) && done = true', 'n1'],
      ['stars = 5 && done = true || stars = 0', 'n1 n4'],
      ['done = TRUE', 'n1'],
      ['done = False', 'n2 n4'],
      ['due = NULL', 'n2 n4'],
      ['folder.id = "open00000000000"', 'n1 n2'],
      ['collectionName = "notes"', refused],
      ['', 'n1 n2 n4'],
      [' ', refused],
      ['// nothing', refused],
      ['title', refused],
      ['title =', refused],
      ['= "x"', refused],
      ['title = "x', refused],
      ["title = 'x", refused],
      ['title = x y', refused],
      ['(title = "x"', refused],
      ['title = "x")', refused],
      ['()', refused],
      ['title = "x" &&', refused],
      ['&& title = "x"', refused],
      ['title = "x" & stars = 1', refused],
      ['title = "x" and stars = 1', refused],
      ['title == "x"', refused],
      ['title <> "x"', refused],
      ['title ?? "x"', refused],
      ['!title = "x"', refused],
      ['stars = 1.', refused],
      ['stars = .5', refused],
      ['stars = 1e3', refused],
      ['stars = 1.2.3', refused],
      ['stars = --1', refused],
      ['stars = 0x10', refused],
      ['title. = "x"', refused],
      ['title: = "x"', refused],
      ['title:shout = "x"', refused],
      ['title:lower:lower = "x"', refused],
      ['.title = "x"', refused],
      ['nothing = 1', refused],
      ['nothing.at.all = 1', refused],
      ['title.sub = 1', refused],
      ['hint = "canary"', refused],
      ['folder.owner.code ~ "x"', refused],
      ['folder.owner.phone ~ "x"', refused],
      ['folder.owner.password != ""', refused],
      ['folder.owner.tokenKey != ""', refused],
      ['folder.owner.verified = true', refused],
      ['@request.auth.id != ""', refused],
      ['@request.query.x = 1', refused],
      ['@collection.tags.name = "Red"', refused],
      ['@rowid > 0', refused],
      ['@nothing = 1', refused],
      ['vault_via_word.id != ""', refused],
      ['title = "\u0000"', refused],
      ['constructor = 1', refused],
      ['__proto__ = 1', refused],
      ['title = "x"; DROP TABLE notes', refused],
      ['title = "x" UNION SELECT 1', refused],
      ["title = '' OR 1=1 --", refused],
      ['title = "\'; DROP TABLE notes; --"', ''],
      ['title = "x\\" || 1 = 1 || \\"x"', ''],
      [`${'('.repeat(33)}1=1${')'.repeat(33)}`, refused],
      ['('.repeat(3500), refused],
      [`title ~ "${'%a'.repeat(1700)}"`, ''],
      [`title ~ "${'\\uD800'.repeat(3)}"`, ''],
      [Array(200).fill('1=1').join('||'), 'n1 n2 n4'],
      [Array(201).fill('1=1').join('||'), refused],
      [`title = "${'x'.repeat(3500)}"`, refused],
      [`${'next.'.repeat(7)}title = "x"`, refused],
    ])('%s', async (filter, expected) => {
      expect(await find('', 'notes', filter)).toBe(expected)
    })
  })

  describe('the operators', () => {
    test.each([
      ['title = "alpha"', ''],
      ['title != "Alpha"', 'n2 n4'],
      ['title > "Alpha"', 'n2 n4'],
      ['title >= "Beta"', 'n2 n4'],
      ['title < "Beta"', 'n1'],
      ['title <= "Beta 50%_x"', 'n1'],
      ['title ~ "ALPHA"', 'n1 n2'],
      ['title !~ "alpha"', 'n4'],
      ['title ~ "alpha%"', 'n1 n2'],
      ['title ~ "%a"', 'n1'],
      ['title ~ "a%a"', 'n1'],
      ['title ~ "50%_"', ''],
      ['title ~ "50\\\\%"', 'n4'],
      ['title ~ "%_x%"', 'n4'],
      ['title ~ "0_x"', ''],
      ['title ~ "_x"', 'n4'],
      ['title ~ "x\\\\\\\\y"', ''],
      ["title ~ 'x\\y'", 'n4'],
      ['title ~ ""', 'n1 n2 n4'],
      ['title ~ "ALPHA <B>"', 'n2'],
      ["title ~ 'it’s'", 'n2'],
      ['title ~ "\\"q\\""', 'n2'],
      ['title ~ "\\u0022q"', 'n2'],
      ['title ~ \'"q"\'', 'n2'],
      ['stars ~ 5', 'n1'],
      ['stars = "5"', 'n1'],
      ['stars > "4"', 'n1'],
      ['stars >= 3', 'n1 n2'],
      ['stars < 3', 'n4'],
      ['stars <= 3', 'n2 n4'],
      ['stars != 0', 'n1 n2'],
      ['stars = 0', 'n4'],
      ['stars = ""', ''],
      ['stars = null', ''],
      ['stars != null', 'n1 n2 n4'],
      ['done = ""', ''],
      ['done != true', 'n2 n4'],
      ['done = 1', 'n1'],
      ['kind = ""', 'n4'],
      ['kind = null', 'n4'],
      ['kind != null', 'n1 n2'],
      ['kind !~ "a"', 'n2 n4'],
      ['due = ""', 'n2 n4'],
      ['due != ""', 'n1'],
      ['due = "2026-01-02 03:04:05.678Z"', 'n1'],
      ['due >= "2026-01-02"', 'n1'],
      ['due < "2026-01-03" && due != ""', 'n1'],
      ['due ~ "2026-01"', 'n1'],
      ['created = "2026-01-01 00:00:00.000Z"', 'n1 n2'],
      ['data = null', 'n4'],
      ['data != null', 'n1 n2'],
      ['data = ""', ''],
      ['data = "word"', 'n2'],
      ['data ~ "ord"', 'n2'],
      ['data.k = "v"', 'n1'],
      ['data.k != "v"', 'n2 n4'],
      ['data.deep.0 = 1', 'n1'],
      ['data.deep.0 > 0', 'n1'],
      ['data.deep.1 = "x"', 'n1'],
      ['data.deep.2 = null', 'n1 n2 n4'],
      ['data.nothing = null', 'n1 n2 n4'],
      ['data.k.deeper = null', 'n1 n2 n4'],
      ['title = folder.name', ''],
      ['stars > score', 'n1 n2'],
      ['stars = folder.owner.name', ''],
    ])('%s', async (filter, expected) => {
      expect(await find('', 'notes', filter)).toBe(expected)
    })
  })

  describe('many values', () => {
    test.each<[Caller, string, string]>([
      ['', 'kinds = "[]"', 'n2 n4'],
      ['', 'kinds ~ "b"', 'n1'],
      ['', 'kinds:length = 2', 'n1'],
      ['', 'kinds:length = 0', 'n2 n4'],
      ['', 'kind:length = 1', 'n1 n2'],
      ['', 'kinds:each = "a"', ''],
      ['', 'kinds:each ?= "a"', 'n1'],
      ['', 'kinds:each != "c"', 'n1 n2 n4'],
      ['', 'kinds:each ?!= "a"', 'n1 n2 n4'],
      ['', 'kinds:each ~ "a"', ''],
      ['', 'kinds:each ?~ "A"', 'n1'],
      ['', 'tags:length > 1', 'n1'],
      ['', 'tags:each ?= "red000000000000"', 'n1 n2'],
      ['', 'tags.name = "Red"', 'n2'],
      ['', 'tags.name ?= "Red"', 'n1 n2'],
      ['', 'tags.name ?= "Green"', ''],
      ['ann', 'tags.name ?= "Green"', 'n3'],
      ['', 'tags.name != "Red"', 'n4'],
      ['', 'tags.name ?!= "Red"', 'n1 n4'],
      ['', 'tags.weight > 0', 'n1 n2'],
      ['', 'tags.weight ?> 1', 'n1'],
      ['', 'tags.weight ?>= 2', 'n1'],
      ['', 'tags.weight ?< 2', 'n1 n2'],
      ['', 'tags.weight ?<= 1', 'n1 n2'],
      ['', 'tags.name ?~ "re"', 'n1 n2'],
      ['', 'tags.name ?!~ "re" && tags.name != ""', 'n1'],
      ['', 'tags.name ?= "Blue" && tags.weight ?= 1', ''],
      ['', 'tags.name ?= "Blue" && tags.weight ?= 2', 'n1'],
      ['', 'links_via_note.text = "kept"', 'n1'],
      ['', 'links_via_note.text ?= "kept"', 'n1'],
      ['', 'links_via_note.text != "kept"', 'n2 n4'],
      ['', 'notes_via_next.title ?= "Hidden canary"', ''],
      ['bob', 'notes_via_next.title ?= "Hidden canary"', 'n1'],
      ['', 'notes_via_next.stars ?= 1', ''],
      ['', 'notes_via_next.stars <= 3', 'n1'],
      ['', 'next.title = "Secret canary"', ''],
      ['ann', 'next.title = "Secret canary"', 'n1'],
      ['bob', 'next.title ~ "canary"', ''],
      ['', 'next.stars = 4', ''],
      ['', 'next.next.title ~ "canary"', ''],
      ['ann', 'next.next.title ~ "canary"', 'n2 n4'],
      ['', 'folder.notes_via_folder.title ?~ "canary"', ''],
      ['', 'folder.folders_via_parent.name ?~ "canary"', ''],
      ['bob', 'folder.folders_via_parent.name ?~ "canary"', 'n1 n2'],
      ['', 'folder.owner.folders_via_owner.name ?~ "canary"', ''],
      ['ann', 'folder.owner.folders_via_owner.name ?~ "canary"', 'n1 n2 n3'],
      ['', 'folder.owner.email ~ "@"', ''],
      ['', 'folder.owner.email:lower != "x"', ''],
      ['ann', 'folder.owner.email = "ann@example.org"', ''],
      ['', 'folder.owner.name:lower = "ANN"', ''],
      ['', 'folder.owner.name:lower = "ann"', 'n1 n2'],
      ['', 'title:lower = "alpha"', 'n1'],
      ['', 'stars:lower = "5"', 'n1'],
    ])('as "%s": %s', async (who, filter, expected) => {
      expect(await find(who, 'notes', filter)).toBe(expected)
    })
  })

  describe('a back-relation that leads nowhere is empty, and so is one that leads to hidden records', () => {
    test.each<[Caller, string, string, string]>([
      ['', 'notes', 'links_via_note.id = ""', 'n2 n4'],
      ['', 'notes', 'links_via_note.id = null', 'n2 n4'],
      ['', 'notes', 'links_via_note.text = ""', 'n2 n4'],
      ['', 'notes', 'links_via_note.text != "x"', 'n1 n2 n4'],
      ['', 'notes', 'links_via_note.text ?!= "kept"', 'n2 n4'],
      ['', 'notes', 'links_via_note.text !~ "x"', 'n1'],
      ['', 'notes', 'links_via_note.id != ""', 'n1'],
      ['', 'notes', 'links_via_note.text = "kept" || links_via_note.id = ""', 'n1 n2 n4'],
      ['', 'notes', 'stars = 5 || links_via_note.text ?= ""', 'n1 n2 n4'],
      ['', 'notes', 'links_via_note.id = "" && stars = 3', 'n2'],
      ['', 'notes', 'notes_via_next.tags:length = 0', 'n2 n4'],
      ['', 'notes', 'notes_via_next.folder.name = ""', 'n2 n4'],
      ['', 'tags', 'notes_via_tags.id = ""', 'green'],
      ['bob', 'tags', 'notes_via_tags.id = ""', 'green'],
      ['ann', 'tags', 'notes_via_tags.id = ""', ''],
      ['', 'tags', 'notes_via_tags.title != "Secret canary"', 'blue green red'],
      ['', 'tags', 'notes_via_tags.title = "Secret canary"', ''],
      ['ann', 'tags', 'notes_via_tags.title != "Secret canary"', 'blue red'],
    ])('as "%s" in %s: %s', async (who, collection, filter, expected) => {
      expect(await find(who, collection, filter)).toBe(expected)
    })
  })

  describe('what a day knows', () => {
    test.each([
      ['@now > "2026-01-01"', 'n1 n2 n4'],
      ['due < @now && due != ""', 'n1'],
      ['@todayStart <= @now && @now <= @todayEnd', 'n1 n2 n4'],
      ['@yesterday < @now && @now < @tomorrow', 'n1 n2 n4'],
      ['@monthStart <= @todayStart && @todayEnd <= @monthEnd', 'n1 n2 n4'],
      ['@yearStart <= @monthStart && @monthEnd <= @yearEnd', 'n1 n2 n4'],
      ['@second < 60 && @minute < 60 && @hour < 24', 'n1 n2 n4'],
      ['@day > 0 && @day < 32 && @weekday < 7', 'n1 n2 n4'],
      ['@month > 0 && @month < 13 && @year > 2025', 'n1 n2 n4'],
      ['@Now > ""', refused],
    ])('%s', async (filter, expected) => {
      expect(await find('', 'notes', filter)).toBe(expected)
    })
  })

  describe('points and functions', () => {
    test.each([
      ['place.lon > 13', 'n1'],
      ['place.lat = 52.5', 'n1'],
      ['place.lon = 0', 'n2 n4'],
      ['place.height = 1', refused],
      ['geoDistance(place.lon, place.lat, 13.4, 52.5) < 1', 'n1'],
      ['geoDistance(13.4, 52.5, place.lon, place.lat) > 1000', 'n2 n4'],
      ['geoDistance(0, 0, 0, 1) > 111 && geoDistance(0, 0, 0, 1) < 112', 'n1 n2 n4'],
      ['geoDistance(place.lon, place.lat, 13.4) < 1', refused],
      ['geoDistance("a", 1, 2, 3) < 1', refused],
      ['strftime("%Y", due) = "2026"', 'n1'],
      ['strftime("%Y-%m-%d", created) = "2026-01-01"', 'n1 n2'],
      ['strftime("%H:%M", due, "+1 hours") = "04:04"', 'n1'],
      ['strftime("%Y", due) = // year\n "2026"', 'n1'],
      ['strftime() = ""', refused],
      ['strftime(title) = ""', refused],
      ['strftime("%Y", due = "2026"', refused],
      ['nothing(1) = 1', refused],
      ['lower(title) = "alpha"', refused],
      ['sqlite_version() != ""', refused],
      ['pg_sleep(10) = 1', refused],
      ['link ~ "good.test"', 'n1'],
      ['body ~ "two"', 'n1'],
      ['next.place.lon = 13.4', 'n2 n4'],
    ])('%s', async (filter, expected) => {
      expect(await find('', 'notes', filter.replace('\\n', '\n'))).toBe(expected)
    })
  })

  test('a filter has 3500 bytes and no more', async () => {
    const filter = (bytes: number) => `title != "${'é'.repeat((bytes - 11) / 2)}"`
    expect(await find('', 'tags', filter(3499).replace('title', 'name '))).not.toMatch(/^4/)
    expect(await find('', 'tags', filter(3501).replace('title', 'name '))).toBe(refused)
  })

  test('every refusal is the same text', async () => {
    const texts = new Set<string>()
    for (const query of [
      'filter=hint="x"',
      'filter=nothing=1',
      'filter=(',
      'filter=@request.auth.id=""',
      'sort=hint',
      'sort=nothing',
      'page=x',
    ])
      texts.add((await fixture.ask('', `GET notes?${query}`)).text)
    expect([...texts]).toEqual([
      '{"data":{},"message":"Something went wrong while processing your request.","status":400}\n',
    ])
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
