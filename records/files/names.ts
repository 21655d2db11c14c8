import { randomText } from '../random.ts'

/**
 * A part of a storage key. A record's files are in one folder, and each file's thumbs are in a
 * folder next to it.
 */
const part = /^(?!\.{1,2}$)[\w.*+=#-]+$/

/**
 * The name a file is stored under: what is readable of its own name, ten random characters, and the
 * extension, including double ones such as `.tar.gz`. The format is PocketBase's.
 *
 * @param original the client's name for it; only the last 300 bytes are used
 * @returns at most 150 characters: `a-z0-9_`, and in the extension also `A-Z.*-+=#`
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
 * @param usual the extensions such a file may have, with their dots; empty for any
 * @param fallback the extension for a name without one, with its dot, or ''
 * @returns the same name, with the first usual extension if it has none of them
 */
export function withExtension(stored: string, usual: readonly string[], fallback: string): string {
  const own = extensionOf(stored)
  if (usual.length ? usual.includes(own.toLowerCase()) : own) return stored
  return stored.slice(0, stored.length - own.length) + (usual[0] ?? fallback)
}

/**
 * @returns the extension with its dot, or the last two if there are several; '' if there is none
 */
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

/** Converts to snake case: `myTestDB` becomes `my_test_db`. */
function snakeCase(text: string): string {
  return text
    .split(/[\W_]+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`))
    .join('_')
    .toLowerCase()
}

/** @returns the storage key of a record's file */
export function fileKey(collection: string, record: string, name: string): string {
  return `${collection}/${record}/${name}`
}

/** @returns the storage key of a file's folder of thumbs; ends in / */
export function thumbFolder(collection: string, record: string, name: string): string {
  return `${collection}/${record}/thumbs_${name}/`
}

/**
 * @returns the file that a key belongs to, whether the key is the file's or one of its thumbs';
 *   null for a key that no record could have stored
 */
export function parseKey(key: string): { collection: string; record: string; name: string } | null {
  const [collection, record, third, ...rest] = key.split('/')
  if (!collection || !record || !third || rest.length > 1) return null
  if (rest.length === 0) return { collection, record, name: third }
  return third.startsWith('thumbs_') ? { collection, record, name: third.slice(7) } : null
}

/** A second line of defence: nothing a client sends should ever become a path. */
export function assertKey(key: string): void {
  const parts = key.replace(/\/$/, '').split('/')
  if (!parts.every((one) => part.test(one))) throw new Error(`not a storage key: ${key}`)
}
