let translate = (sentence: string): string => sentence

/** Tells how sentences of the rules are said in other languages than English; see `rules.ts`. */
export function setTranslate(say: (sentence: string) => string): void {
  translate = say
}

/**
 * Says a sentence of the rules or of a server's answer in the language of the page. What the server
 * renders asks `rules.ts` itself: a browser loads that for other languages than English alone, and
 * may be rendering already.
 */
export function translated(sentence: string): string {
  return translate(sentence)
}
