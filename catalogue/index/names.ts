import { foldTitle } from '../text/fold.ts'
import type { SeriesPlace } from './work.ts'

/** @returns the id of an author: the same for every spelling that folds alike */
export const authorId = (name: string) => foldTitle(name).replaceAll(' ', '-')

/** @returns the id of a series */
export function seriesId({ name, by }: Pick<SeriesPlace, 'name' | 'by'>): string {
  return by ? `${authorId(name)}--${authorId(by)}` : authorId(name)
}
