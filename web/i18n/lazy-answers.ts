/** A field's error on the wire; see `server/http/field-error.ts`. */
export interface FieldError {
  code: string
  message: string
  params?: Readonly<Record<string, string | number>>
}

export interface Translator {
  field: (error: FieldError) => string
  /** For an error without a field. */
  answer: (message: string) => string
}

/** The server's messages are in English. */
let translator: Translator = { field: ({ message }) => message, answer: (message) => message }

/** Sets what says the server's answers in other languages than English; see `answers.ts`. */
export function setTranslator(other: Translator): void {
  translator = other
}

let loading = Promise.resolve()

/** Loads the translator; until then calls hold back the answers that screens show. */
export function loadTranslator(load: () => Promise<{ translator: Translator }>): void {
  loading = load().then(
    ({ translator: loaded }) => setTranslator(loaded),
    () => undefined,
  )
}

/** Await it before an answer reaches a screen; if loading fails, answers stay English. */
export const translatorLoaded = (): Promise<void> => loading

/** Says a field's error in the language of the page. */
export const fieldMessage = (error: FieldError): string => translator.field(error)

/** Says an answer without a field in the language of the page. */
export const answerMessage = (message: string): string => translator.answer(message)
