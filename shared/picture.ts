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

export const pictureMessages = {
  tooBig: 'File is bigger than 5 MB',
  tooLarge: `File is larger than ${pictureLimits.maxSize} bytes`,
  tooMany: 'Too many files',
  type: `File type must be ${pictureLimits.types.slice(0, -1).join(', ')} or ${pictureLimits.types.at(-1)}`,
  missing: 'Image missing. This sometimes happens, please re-upload.',
} as const

/** For the `accept` of a file input. */
export const pictureAccept = pictureLimits.types.map((type) => `.${type}`).join(',')

interface FileLike {
  name: string
  size: number
  /** From the operating system; '' if unknown. */
  type: string
}

/** @returns why these files aren't one valid picture, or null */
export function pictureError(files: readonly FileLike[]): string | null {
  const [file] = files
  if (files.length > 1) return pictureMessages.tooMany
  if (!file) return null
  const ending = file.name.toLowerCase().split('.').at(-1)
  if (!pictureLimits.types.some((type) => type === ending)) return pictureMessages.type
  if (file.type && !file.type.startsWith('image/')) return pictureMessages.type
  return file.size > pictureLimits.maxSize ? pictureMessages.tooBig : null
}

/** Whether a chosen file is still readable when it is sent: phones sometimes lose it. */
export function isPicture({ name, size, type }: FileLike): boolean {
  return size > 0 && type.startsWith('image/') && name !== ''
}
