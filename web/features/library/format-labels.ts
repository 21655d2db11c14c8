import type { Format } from '#shared/reading.ts'

export const formatLabels: Record<Format, string> = {
  print: 'Print',
  ebook: 'Ebook',
  audio: 'Audiobook',
}
