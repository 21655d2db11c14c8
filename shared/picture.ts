import type { Refusal } from './rule.ts'

/**
 * Limits of uploaded pictures. The server checks the bytes; the form only checks the file's name,
 * type and size.
 */
export const pictureLimits = {
  types: ['jpg', 'jpeg', 'png', 'webp', 'svg', 'gif'],
  /** Bytes. */
  maxSize: 5 * 1024 * 1024,
  /** Pixels. */
  background: { width: 1287, height: 480 },
} as const

const wrongType: Refusal = {
  key: 'pictureType',
  params: {
    types: pictureLimits.types.slice(0, -1).join(', '),
    last: pictureLimits.types.at(-1)!,
  },
}

/** What systems call the same types, whatever a file's name is. */
const mimeTypes = ['jpeg', 'jpg', 'pjpeg', 'png', 'webp', 'svg+xml', 'gif'].map(
  (type) => `image/${type}`,
)
/** Endings that browsers and cameras give to JPEGs as well. */
const otherEndings = ['jfif', 'jpe', 'pjp', 'pjpeg']

/** For the `accept` of a file input. */
export const pictureAccept = [
  ...[...pictureLimits.types, ...otherEndings].map((ending) => `.${ending}`),
  ...mimeTypes,
].join(',')

interface FileLike {
  name: string
  size: number
  /** From the operating system; '' if unknown. */
  type: string
}

/**
 * @param minSize bytes, where an empty file is to be refused when it is chosen
 * @returns why these files aren't one valid picture, or null
 */
export function pictureError(files: readonly FileLike[], { minSize = 0 } = {}): Refusal | null {
  const [file] = files
  if (files.length > 1) return { key: 'picturesTooMany' }
  if (!file) return null
  if (!mayBePicture(file)) return wrongType
  if (file.size < minSize) return { key: 'pictureTooSmall', params: { min: minSize } }
  return file.size > pictureLimits.maxSize ? { key: 'pictureTooBig' } : null
}

/** What systems call a file of which they know nothing. */
const unknownTypes = ['', 'application/octet-stream', 'binary/octet-stream']

/** By what the system says it is, or where that says nothing, by its name; one without an ending may be. */
function mayBePicture({ name, type: given }: FileLike): boolean {
  // A share may write it in capitals, or with a parameter.
  const [type = ''] = given.toLowerCase().split(';')
  if (mimeTypes.includes(type)) return true
  // Of "photo.jpg?width=300" and "photo.jpg (1)", as they are downloaded, too; "Cover v1.2" has none.
  const ending = /\.(?!\d+$)([a-z\d]*)[^.]*$/.exec(name.toLowerCase())?.[1] ?? ''
  const isNamedSo = [...pictureLimits.types, ...otherEndings].some((one) => one === ending)
  if (unknownTypes.includes(type)) return ending === '' || isNamedSo
  return isNamedSo && type.startsWith('image/')
}

/** Whether a chosen file is still readable when it is sent: phones sometimes lose it. */
export function isPicture({ name, size }: FileLike): boolean {
  return size > 0 && name !== ''
}
