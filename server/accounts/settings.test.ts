import { expect, test } from 'vitest'
import { ApiError } from '#records/index.ts'
import type { LibraryHooks } from '#server/collections/stored.ts'
import { settingsHooks } from './settings.ts'

const own = { name: ' Corner shop ', format: 'physical', template: 'https://shop.example/{isbn13}' }

function prepare(after: Record<string, unknown>) {
  type Prepare = Parameters<NonNullable<LibraryHooks<'settings'>['prepare']>>
  const change = { action: 'update', after } as unknown as Prepare[0]
  const tx = {} as Prepare[1]
  return settingsHooks('free').prepare?.(change, tx)
}

test('stores are kept as they are shown', async () => {
  const after = { country: 'DE', stores: [own], time_zone: '' }
  await prepare(after)
  expect(after.stores).toEqual([{ ...own, name: 'Corner shop' }])
})

test.each([
  [{ country: 'XX' }, 'country', 'Choose a country from the list.'],
  [{ stores: 'all' }, 'stores', expect.any(String)],
  [
    { stores: [{ ...own, template: 'javascript:{isbn13}' }] },
    'stores',
    expect.stringMatching(/^Use an https/),
  ],
  [{ stores: Array.from({ length: 21 }, () => own) }, 'stores', 'You can add up to 20 stores.'],
])('%j is refused at its field', async (after, field, message) => {
  const refused = await Promise.resolve()
    .then(() => prepare(after))
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ data: { [field]: { message } } })
})
