/** What readers may upload to show: the server looks at the bytes, this only at what a file says. */
export const pictures = {
  types: ['jpg', 'jpeg', 'png', 'webp', 'svg', 'gif'],
  /** Bytes. */
  sizeAtMost: 5 * 1024 * 1024,
  /** Pixels. */
  background: { width: 1287, height: 480 },
} as const

export const pictureSentences = {
  tooBig: 'File is bigger than 5 MB',
  tooLarge: `File is larger than ${pictures.sizeAtMost} bytes`,
  tooMany: 'Too many files',
  type: `File type must be ${pictures.types.slice(0, -1).join(', ')} or ${pictures.types.at(-1)}`,
  missing: 'Image missing. This sometimes happens, please re-upload.',
} as const

/** For the `accept` of a file input. */
export const pictureAccept = pictures.types.map((type) => `.${type}`).join(',')

interface FileLike {
  name: string
  size: number
  /** As the system says; '' where it does not know. */
  type: string
}

/** @returns why these files cannot be chosen as one picture, or null */
export function whyNoPicture(files: readonly FileLike[]): string | null {
  const [file] = files
  if (files.length > 1) return pictureSentences.tooMany
  if (!file) return null
  const ending = file.name.toLowerCase().split('.').at(-1)
  if (!pictures.types.some((type) => type === ending)) return pictureSentences.type
  if (file.type && !file.type.startsWith('image/')) return pictureSentences.type
  return file.size > pictures.sizeAtMost ? pictureSentences.tooBig : null
}

/** Whether a chosen file is still a picture when it is to be sent: phones lose them meanwhile. */
export function isPicture({ name, size, type }: FileLike): boolean {
  return size > 0 && type.startsWith('image/') && name !== ''
}
