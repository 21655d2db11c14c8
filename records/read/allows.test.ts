import { beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database } from '../database/database.ts'
import { sqlite } from '../database/sqlite-dialect.ts'
import { requestOf, schema, seedViewers } from '../records.fixture.ts'
import { collection, Schema } from '../schema/collection.ts'
import type { Rule } from '../schema/field.ts'
import { zeroValue, type StoredRecord } from '../schema/values.ts'
import { allows, allowsNew } from './allows.ts'
import { refuseBrokenRules } from '../access/broken-rules.ts'
import type { RequestInfo } from '../filter/request.ts'

const visitor = requestOf()

describeDatabases('a rule', (open) => {
  let db: Database
  let ann: RequestInfo
  let bob: RequestInfo
  beforeAll(async () => {
    db = await open()
    ;({ ann, bob } = await seedViewers(db))
  })

  const asks = (rule: Rule, request: RequestInfo, id = 'n1', name = 'notes') =>
    allows(db, schema, schema.get(name), rule, id, request)

  test('of null lets nobody in, an empty one everyone if the record exists', async () => {
    expect(await asks(null, ann)).toBe(false)
    expect(await asks('', visitor)).toBe(true)
    expect(await asks('', ann, 'nothing')).toBe(false)
    expect(await asks('', ann, 'n1\0')).toBe(false)
  })

  describe('knows the viewer', () => {
    test.each([
      ['owner = @request.auth.id', true, false, false],
      ['@request.auth.id = ""', false, false, true],
      ['@request.auth.name = "Ann"', true, false, false],
      ['@request.auth.score > 2', true, false, false],
      ['@request.auth.verified = false', true, true, false],
      ['@request.auth.collectionName = "people"', true, true, false],
      ['@request.auth.collectionId != ""', true, true, false],
      ['@request.auth.nothing = "people"', false, false, false],
      ['@request.auth.collectionId.x != ""', false, false, false],
      ['@request.auth.folders_via_owner.name ?= "Open"', true, false, false],
      ['@request.auth.folders_via_owner.id ?= folder', true, false, false],
      ['@request.auth.card_via_owner.hidden = true', false, true, false],
      ['@request.auth.name:lower = "ann"', true, false, false],
      [
        '@collection.card.owner ?= @request.auth.id && @collection.card.hidden ?= true',
        false,
        true,
        false,
      ],
      [
        '@collection.card:a.owner ?= @request.auth.id && @collection.card:b.hidden ?= true',
        true,
        true,
        false,
      ],
      ['hint = "" && owner.code = "canary" && owner.email ~ "example.org"', true, true, true],
    ] as const)('%s', async (rule, forAnn, forBob, forVisitor) => {
      expect(await asks(rule, ann)).toBe(forAnn)
      expect(await asks(rule, bob)).toBe(forBob)
      expect(await asks(rule, visitor)).toBe(forVisitor)
    })
  })

  describe('knows the body', () => {
    test.each<[string, Partial<RequestInfo>, boolean]>([
      ['@request.method = "POST"', { method: 'POST' }, true],
      ['@request.context = "expand"', {}, false],
      ['@request.query.key = "a"', { query: { key: 'a' } }, true],
      ['@request.query.key = "a"', { query: {} }, false],
      ['@request.query.key = null', { query: {} }, true],
      ['@request.headers.x_key = "a"', { headers: { x_key: 'a' } }, true],
      ['@request.query.key:isset = true', { query: { key: '' } }, true],
      ['@request.query.key:isset = true', {}, false],
      ['@request.query.key = "�"', { query: { key: '\0' } }, true],
      ['@request.query.key = "a�"', { query: { key: 'a\uD800' } }, true],
      ['@request.query.key:lower = "aÄz"', { query: { key: 'AÄZ' } }, true],
      ['@request.query.key > 3', { query: { key: ' 3.52 ' } }, true],
      ['@request.query.key < 3', { query: { key: '-12.25' } }, true],
      ['@request.query.key > 999', { query: { key: '3 apples' } }, true],
      ['@request.query.key > 999', { query: { key: 'about 3' } }, true],
      ['@request.query.key > 0', { query: { key: '' } }, false],
      ['@request.body.tags:each = ""', { body: { tags: 'red' } }, true],
      ['@request.body.tags.name ?= "Red"', { body: { tags: 'red' } }, false],
      ['@request.body.title.x = null', { body: { title: 'y' } }, true],
      ['@request.query.key.length = null', { query: { key: 'abc' } }, true],
      ['@request.body.tags:length = 2', { body: { tags: ['red', 'red'] } }, true],
      ['@request.body.tags:length = 1', { body: { tags: 'red' } }, true],
      ['@request.body.tags:length = 0', { body: { tags: '' } }, true],
      ['@request.body.tags:length = 0', { body: { tags: null } }, true],
      ['@request.body.tags:length = 0', {}, true],
      ['data.deep.0 = @request.body.stars', { body: { stars: 1 } }, true],
      ['data.deep.0 = @request.body.stars', { body: { stars: true } }, true],
      ['data.deep.0 = @request.body.stars', { body: { stars: '1' } }, false],
      ['data.deep.1 = @request.body.title', { body: { title: 'x' } }, true],
      ['data.deep.1 = @request.body.title', { body: { title: 1 } }, false],
      ['@request.query.key ~ "a%b"', { query: { key: 'a\0b' } }, true],
      ['@request.body.title = "x"', { body: { title: 'x' } }, true],
      ['@request.body.stars > 3', { body: { stars: 4 } }, true],
      ['@request.body.stars > 3', { body: { stars: '4' } }, true],
      ['@request.body.stars > 3', { body: {} }, false],
      ['@request.body.done = true', { body: { done: true } }, true],
      ['@request.body.title:changed = true', { body: { title: 'Beta' } }, true],
      ['@request.body.title:changed = true', { body: { title: 'Alpha' } }, false],
      ['@request.body.title:changed = true', { body: {} }, false],
      ['@request.body.stars:changed = false', { body: { stars: 5 } }, true],
      ['@request.body.tags:changed = true', { body: { tags: ['red', 'blue'] } }, false],
      ['@request.body.tags:length = 2', { body: { tags: ['red', 'blue'] } }, true],
      ['@request.body.tags:each ~ "e"', { body: { tags: ['red', 'blue'] } }, true],
      ['@request.body.tags:each = "red"', { body: { tags: ['red', 'blue'] } }, false],
      ['@request.body.tags:each ?= "red"', { body: { tags: ['red', 'blue'] } }, true],
      ['@request.body.tags.name ?= "Blue"', { body: { tags: ['red', 'blue'] } }, true],
      // Compares every pair of the related records on both sides.
      ['tags.name ?= @request.body.tags.name', { body: { tags: ['blue'] } }, true],
      ['tags.name = @request.body.tags.name', { body: { tags: ['blue'] } }, false],
      ['tags.name != @request.body.tags.name', { body: { tags: ['blue'] } }, false],
      ['tags.name ?!= @request.body.tags.name', { body: { tags: ['blue'] } }, true],
      ['tags.weight <= @request.body.tags.weight', { body: { tags: ['blue'] } }, true],
      ['tags.weight <= @request.body.tags.weight', { body: { tags: ['blue', 'red'] } }, false],
      ['@request.body.folder.owner = "ann"', { body: { folder: 'open' } }, true],
      ['@request.body.folder.owner = "ann"', { body: { folder: 'bobs' } }, false],
      ['@request.body.folder.owner = "ann"', { body: { folder: { id: 'open' } } }, false],
      ['@request.body.data.deep.key = 1', { body: { data: { deep: { key: 1 } } } }, true],
      ['@request.body.constructor:isset = true', {}, false],
    ])('%s %j is %s', async (rule, more, expected) => {
      expect(await asks(rule, { ...visitor, ...more })).toBe(expected)
    })
  })

  test('with an unknown name is a mistake in the application, not in the request', async () => {
    await expect(asks('nothing = 1', ann)).rejects.toThrow('the rule nothing = 1 of notes')
    await expect(asks('nothing = 1', ann)).rejects.not.toHaveProperty('status')
    for (const rule of [
      '@request = 1',
      '@request.body = 1',
      '@request.nothing = 1',
      '@request.nothing.x = 1',
      '@request.method.x = 1',
      '@request.query..x = 1',
      '@request.body.title:upper = 1',
      '@collection.tags = 1',
      '@collection.nothing.id = 1',
    ])
      await expect(asks(rule, ann), rule).rejects.toThrow(`the rule ${rule} of notes`)
  })

  describe('for a new record', () => {
    const create = (values: object, request: RequestInfo) => {
      const notes = schema.get('notes')
      const zeros = Object.fromEntries(notes.fields.map((field) => [field.name, zeroValue(field)]))
      const record = { ...zeros, id: 'new', ...values } as StoredRecord
      return allowsNew(db, schema, notes, notes.rules.create, record, request)
    }

    test('is checked against the values to be stored', async () => {
      expect(await create({ owner: 'ann' }, ann)).toBe(true)
      expect(await create({ owner: 'ann', folder: 'open' }, ann)).toBe(true)
      expect(await create({ owner: 'bob' }, ann)).toBe(false)
      expect(await create({ owner: '' }, visitor)).toBe(false)
      expect(await create({ owner: 'ann', folder: 'bobs' }, ann)).toBe(false)
      expect(await create({ owner: 'ann', folder: 'nothing' }, ann)).toBe(false)
    })

    test.each([
      ['stars > 1 && done = true && title ~ "x"', true],
      ['tags.name ?= "Red" && tags:length = 1', true],
      ['kinds:each = "a"', true],
      ['data.k = 1', true],
      ['title > "y"', false],
    ])('%s', async (rule, expected) => {
      const notes = schema.get('notes')
      const zeros = Object.fromEntries(notes.fields.map((field) => [field.name, zeroValue(field)]))
      const values = {
        ...zeros,
        id: 'new',
        stars: 2,
        done: true,
        title: 'ax\0',
        tags: ['red'],
        kinds: ['a'],
        data: { k: 1 },
      }
      expect(await allowsNew(db, schema, notes, rule, values, ann)).toBe(expected)
    })

    test('of null lets nobody in, an empty one everyone', async () => {
      const tags = schema.get('tags')
      expect(await allowsNew(db, schema, tags, null, { id: 'x' }, ann)).toBe(false)
      expect(await allowsNew(db, schema, tags, '', { id: 'x' }, visitor)).toBe(true)
    })

    test('writes nothing', async () => {
      expect(await asks('', ann, 'new')).toBe(false)
    })
  })
})

describe('a schema', () => {
  const rules = { list: '', view: '', create: null, update: null, delete: null }
  const start = (update: Rule, manage?: string) => {
    const auth = {
      tokenLife: 60,
      sessionIdle: 60,
      sessionLife: 60,
      otp: { digits: 6, life: 60, tries: 5 },
      mfa: { life: 60 },
      ...(manage !== undefined && { manage }),
    }
    const to = { type: 'relation', collection: 'people' } as const
    const friend = [{ name: 'friend', ...to }]
    const people = collection({ name: 'people', type: 'auth', fields: friend, rules, auth })
    const owner = [{ name: 'owner', ...to }]
    const notes = collection({ name: 'notes', fields: owner, rules: { ...rules, update } })
    return () => refuseBrokenRules(sqlite, new Schema([people, notes]))
  }

  test('is refused for an invalid rule, whichever viewer it fails for', () => {
    expect(start('id = @request.auth.id', 'id = @request.auth.id')).not.toThrow()
    expect(start(null)).not.toThrow()
    expect(start('nothing = 1')).toThrow('the rule nothing = 1 of notes')
    expect(start('@request.auth.friend.nothing = 1')).toThrow('the rule @request.auth.friend')
    // Notes are never the viewer.
    expect(start('@request.auth.owner.nothing = 1')).not.toThrow()
    expect(start('id = 1 =')).toThrow('the rule id = 1 = of notes')
    expect(start('', 'nothing = 1')).toThrow('the rule nothing = 1 of people')
  })

  test('is refused if it would let everyone manage its accounts', () => {
    expect(start('', '')).toThrow(
      'the manage rule of people would let everyone manage its accounts',
    )
  })
})
