import { randomText } from '../random.ts'

/** One folder of a storage holds a record's files; a file's thumbs have a folder beside it. */
const part = /^(?!\.{1,2}$)[\w.*+=#-]+$/

/**
 * The name a file is stored under: a readable rest of its own, ten random characters, and the
 * extension, double ones such as `.tar.gz` kept. Source: PocketBase's names.
 *
 * @param original as the client names it; only its last 300 bytes count
 * @returns at most 150 of `a-z0-9_`, the extension also `A-Z.*-+=#`
 */
export function storedName(original: string): string {
  const name = Buffer.from(original).subarray(-300).toString()
  const own = extensionOf(name)
  let clean = snakeCase(name.slice(0, name.length - own.length))
  if (clean.length < 3) clean += randomText(10)
  return `${clean.slice(0, 100)}_${randomText(10)}${cleanExtension(own)}`
}

/**
 * @param stored see {@link storedName}
 * @param usual the extensions that such a file may have, with their dots; empty for any
 * @param fallback for a name without extension; with its dot, or ''
 * @returns the same name, with the first usual extension if it has none of them
 */
export function withExtension(stored: string, usual: readonly string[], fallback: string): string {
  const own = extensionOf(stored)
  if (usual.length ? usual.includes(own.toLowerCase()) : own) return stored
  return stored.slice(0, stored.length - own.length) + (usual[0] ?? fallback)
}

/** @returns the extension with its dot, or the last two where there are two; '' if there is none */
export function extensionOf(name: string): string {
  const last = name.lastIndexOf('.')
  if (last < 0) return ''
  const before = last > 0 ? name.lastIndexOf('.', last - 1) : -1
  return name.slice(before < 0 ? last : before)
}

function cleanExtension(extension: string): string {
  const clean = extension.replaceAll(/[^\w.*+=#-]+/g, '').replaceAll(/\.{2,}/g, '.')
  if (!clean.replaceAll('.', '')) return ''
  return clean.length > 20 ? `.${clean.slice(-20).replaceAll(/^\.+|\.+$/g, '')}` : clean
}

/** Words in lower case between underscores: `myTestDB` is `my_test_db`. */
function snakeCase(text: string): string {
  return text
    .split(/[\W_]+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`))
    .join('_')
    .toLowerCase()
}

/** @returns where a storage keeps a record's file */
export function fileKey(collection: string, record: string, name: string): string {
  return `${collection}/${record}/${name}`
}

/** @returns where a storage keeps a file's thumbs; ends in / */
export function thumbFolder(collection: string, record: string, name: string): string {
  return `${collection}/${record}/thumbs_${name}/`
}

/**
 * @returns the file that a key belongs to, be it the file itself or one of its thumbs; null for
 *   what no record could have stored
 */
export function parseKey(key: string): { collection: string; record: string; name: string } | null {
  const [collection, record, third, ...rest] = key.split('/')
  if (!collection || !record || !third || rest.length > 1) return null
  if (rest.length === 0) return { collection, record, name: third }
  return third.startsWith('thumbs_') ? { collection, record, name: third.slice(7) } : null
}

/** Nothing that a client sends ever becomes a path; this is the second lock on that door. */
export function assertKey(key: string): void {
  const parts = key.replace(/\/$/, '').split('/')
  if (!parts.every((one) => part.test(one))) throw new Error(`not a storage key: ${key}`)
}
