import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepPlace, keptPlace, resetPlaces, type KeptPlace } from './kept-place.ts'

const place: KeptPlace = { item: 'emma', position: 40, top: 12, scrollY: 4894, link: null }

let stored: Map<string, string>

function useStorage(setItem = (key: string, value: string) => void stored.set(key, value)) {
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem })
}

beforeEach(() => {
  stored = new Map()
  resetPlaces()
})
afterEach(() => vi.unstubAllGlobals())

test('keeps a place for its history entry across a reload', () => {
  useStorage()
  keepPlace('one', place)
  resetPlaces()
  expect(keptPlace('one')).toEqual(place)
  expect(keptPlace('other')).toBeUndefined()
})

test('forgets a place', () => {
  useStorage()
  keepPlace('one', place)
  keepPlace('one', null)
  resetPlaces()
  expect(keptPlace('one')).toBeUndefined()
})

test('keeps the newest fifty places', () => {
  useStorage()
  for (let n = 0; n < 51; n++) keepPlace(`entry ${n}`, place)
  expect(keptPlace('entry 0')).toBeUndefined()
  expect(keptPlace('entry 1')).toEqual(place)
  expect(keptPlace('entry 50')).toEqual(place)
})

test.each(['nonsense', '{}', 'null'])('starts afresh when the storage holds %s', (text) => {
  useStorage()
  stored.set('octavo-places', text)
  expect(keptPlace('one')).toBeUndefined()
})

test('keeps places in memory when the storage refuses them', () => {
  useStorage(() => {
    throw new Error('full')
  })
  keepPlace('one', place)
  expect(keptPlace('one')).toEqual(place)
})

test('keeps places in memory without any storage', () => {
  vi.stubGlobal('sessionStorage', null)
  keepPlace('one', place)
  expect(keptPlace('one')).toEqual(place)
})
