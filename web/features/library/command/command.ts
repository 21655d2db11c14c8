import { plainNumbers } from '#shared/digits.ts'
import { t } from '#web/i18n/shell.ts'

/** A command typed into the palette. */
export type Command =
  | { kind: 'position'; title: string; number: number; isPercent: boolean }
  | { kind: 'finish'; title: string }
  | { kind: 'want'; title: string }

/** @returns what a text with a verb before or after it is about */
function objectOf(text: string, verbs: string): string | undefined {
  const verb = verbs.replaceAll(', ', '|')
  // Japanese puts a particle before its verbs.
  const pattern = new RegExp(`^(?:${verb})\\s+(\\S.*)$|^(\\S.*?)(?:\\s|を)+(?:${verb})$`, 'iu')
  const [, after, before] = pattern.exec(text) ?? []
  return after ?? before
}

/**
 * Reads "anne 170", "anne 40%", "finish dune" and "want piranesi", the verbs in the language of the
 * page or in English.
 *
 * @returns null for any other text
 */
export function readCommand(text: string): Command | null {
  const finished = objectOf(text.trim(), t('finishVerbs'))
  if (finished) return { kind: 'finish', title: finished }
  const wanted = objectOf(text.trim(), t('wantVerbs'))
  if (wanted) return { kind: 'want', title: wanted }
  // Marks of direction come along with a copied number.
  const position = /^(\S.*?)[\s\p{Cf}]+(\d{1,6})\s*(%?)\p{Cf}*$/u
  const [, title, number, percent] = position.exec(plainNumbers(text.trim())) ?? []
  if (!title) return null
  return { kind: 'position', title, number: Number(number), isPercent: percent !== '' }
}
