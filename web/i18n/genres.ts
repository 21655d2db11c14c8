import catalogue from 'messages/genres'
import { area } from './area.ts'
import { currentLanguage } from './language.ts'
import type messages from './messages/en/genres.json'

const { t } = area<keyof typeof messages>(catalogue)

/**
 * @param genre of a book, as a catalogue names it
 * @returns a genre of the starter catalogue in the language of the page, any other as it is
 */
export function genreName(genre: string): string {
  const isKnown = Object.hasOwn(catalogue[currentLanguage()] ?? {}, `genre.${genre}`)
  return isKnown ? t(`genre.${genre}` as keyof typeof messages) : genre
}
