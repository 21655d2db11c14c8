let translator = (sentence: string): string => sentence

/** Sets what translates sentences of the rules to other languages than English; see `rules.ts`. */
export function setTranslator(translate: (sentence: string) => string): void {
  translator = translate
}

/**
 * Translates a sentence of the rules or of a server's answer to the language of the page. The
 * server always has `rules.ts`; a browser loads it for other languages than English, and may render
 * before it has come.
 */
export function translateIfLoaded(sentence: string): string {
  return translator(sentence)
}
