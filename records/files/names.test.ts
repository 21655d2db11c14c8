import { expect, it, test } from 'vitest'
import {
  assertKey,
  extensionOf,
  fileKey,
  parseKey,
  storedName,
  thumbFolder,
  withExtension,
} from './names.ts'

test.each([
  ['photo.png', /^photo_[a-z0-9]{10}\.png$/],
  ['My Photo (1).JPG', /^my_photo_1_[a-z0-9]{10}\.JPG$/],
  ['myTestDB.txt', /^my_test_db_[a-z0-9]{10}\.txt$/],
  ['backup.tar.gz', /^backup_[a-z0-9]{10}\.tar\.gz$/],
  ['a.b.tar.gz', /^a_b_[a-z0-9]{10}\.tar\.gz$/],
  ['ab.png', /^ab[a-z0-9]{10}_[a-z0-9]{10}\.png$/],
  ['本.png', /^[a-z0-9]{10}_[a-z0-9]{10}\.png$/],
  ['none', /^none_[a-z0-9]{10}\.bin$/],
  ['none.', /^none_[a-z0-9]{10}\.bin$/],
  ['dots...', /^dots_[a-z0-9]{10}\.bin$/],
  ['../../etc/passwd', /^[a-z0-9]{10}_[a-z0-9]{10}\.etcpasswd$/],
  ['..\\..\\evil.p n/g', /^[a-z0-9]{10}_[a-z0-9]{10}\.evil\.png$/],
  ['x\0y.png\0.html', /^x_y_[a-z0-9]{10}\.png\.html$/],
  [`${'a'.repeat(200)}.png`, /^a{100}_[a-z0-9]{10}\.png$/],
  [`name.${'e'.repeat(50)}`, /^name_[a-z0-9]{10}\.e{20}$/],
  [`${'x'.repeat(400)}y.png`, /^x{100}_[a-z0-9]{10}\.png$/],
  [`${'長'.repeat(200)}.png`, /^[a-z0-9]{10}_[a-z0-9]{10}\.png$/],
])('%j becomes %s', (original, expected) => {
  const name = withExtension(storedName(original), [], '.bin')
  expect(name).toMatch(expected)
  expect(name.length).toBeLessThanOrEqual(150)
  expect(() => assertKey(fileKey('c', 'r', name))).not.toThrow()
})

it('gives every file a different name, and replaces a wrong extension', () => {
  expect(storedName('a.png')).not.toBe(storedName('a.png'))
  expect(withExtension('photo_1.html', ['.png'], '')).toBe('photo_1.png')
  expect(withExtension('photo_1', ['.jpg', '.jpeg'], '')).toBe('photo_1.jpg')
  expect(withExtension('photo_1.JPEG', ['.jpg', '.jpeg'], '')).toBe('photo_1.JPEG')
  expect(extensionOf('.htaccess')).toBe('.htaccess')
})

it('finds the record of a stored file', () => {
  const owner = { collection: 'c', record: 'r', name: 'a.png' }
  expect(parseKey(fileKey('c', 'r', 'a.png'))).toEqual(owner)
  expect(parseKey(`${thumbFolder('c', 'r', 'a.png')}100x100_a.png`)).toEqual(owner)
  for (const key of ['', 'c/r', 'c/r/x/y', 'c/r/thumbs_a/b/c']) expect(parseKey(key)).toBeNull()
})

test.each(['../x', 'c/../x', '/etc/passwd', 'c\\r', 'c//x', 'c/r/a b', 'c/r/x\0', 'c/r//', ''])(
  'refuses %j as a key',
  (key) => expect(() => assertKey(key)).toThrow('not a storage key'),
)

it('accepts a folder as a key', () => {
  expect(() => assertKey('c/r/')).not.toThrow()
})
