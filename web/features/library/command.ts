/** What a text typed into the palette asks for, besides finding something. */
export type Command =
  | { kind: 'place'; title: string; number: number; isPercent: boolean }
  | { kind: 'finish'; title: string }
  | { kind: 'want'; title: string }

/**
 * Reads "anne 170", "anne 40%", "finish dune" and "want piranesi".
 *
 * @returns null for any other text
 */
export function readCommand(text: string): Command | null {
  const [, verb, what] = /^(finished|finish|want to read|want)\s+(\S.*)$/i.exec(text.trim()) ?? []
  if (verb && what)
    return { kind: verb.toLowerCase().startsWith('want') ? 'want' : 'finish', title: what }
  const [, title, number, percent] = /^(\S.*?)\s+(\d{1,6})\s*(%?)$/.exec(text.trim()) ?? []
  if (!title || !number) return null
  return { kind: 'place', title, number: Number(number), isPercent: percent === '%' }
}
