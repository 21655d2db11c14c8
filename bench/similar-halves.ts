import { countCoReads } from '#catalogue/index.ts'

/** Length of the lists that are judged. */
export const listLength = 20

/** How well lists answer one question: shares of what was held back, from 0 to 1. */
export interface RankingQuality {
  name: string
  /** What is popular, and what is shelved together. */
  fame: number
  near: number
  /** The best that any lists could do that are the same for every reader. */
  most?: number
}

/** A library is the books of one reader. */
export type Libraries = readonly (readonly string[])[]

/** @returns what the product would know of these readers, and the books by how many have them */
export async function learnFrom(libraries: Libraries) {
  // oxlint-disable-next-line typescript/require-await -- all is there already
  async function* parts() {
    for (let at = 0; at < libraries.length; at += 500) yield libraries.slice(at, at + 500)
  }
  const { near, shelved } = await countCoReads(parts())
  return { near, popular: Array.from(shelved.isbns, String) }
}

/** A number that looks random and is the same at every run (FNV-1a). */
export function stableHash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}
