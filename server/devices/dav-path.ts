/** Bytes of a path, and the folders it may be in. */
const most = { bytes: 500, folders: 8 }

/** What no name may have: slashes of either kind and control characters. */
const unsafe = /[/\\\p{Cc}]/u

/**
 * Reads the path of a file or folder from a URL below a folder of the site.
 *
 * @returns names separated by /; '' for the folder itself, null for a path that can't be stored
 */
export function readDavPath(url: string, below: string): string | null {
  const { pathname } = new URL(url)
  const names = pathname.slice(below.length).split('/').filter(Boolean).map(decode)
  if (!names.every((name) => name !== null && isName(name)) || names.length > most.folders + 1)
    return null
  const path = names.join('/')
  return Buffer.byteLength(path) <= most.bytes ? path : null
}

const isName = (name: string) => name !== '.' && name !== '..' && !unsafe.test(name)

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** @returns the path as it stands in a URL */
export function encodeDavPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** @returns the folders that a path is in, the outermost first; without the root */
export function foldersOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join('/'))
}
