import * as z from 'zod'

/*
 * Records of other catalogues are seldom whole: a field of another kind than announced counts as
 * absent, and one bad record does not spoil the others.
 */

export const lenientText = z.string().catch('')
export const lenientNumber = z.number().catch(0)
export const lenientTexts = lenientList(z.string())

/** @returns a schema for lists that drops invalid items; anything but a list becomes empty */
export function lenientList<Item extends z.ZodType>(item: Item) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((values) =>
      values.flatMap((value) => {
        const parsed = item.safeParse(value)
        return parsed.success ? [parsed.data] : []
      }),
    )
}

/** @returns the page count as an integer, at most 50,000 */
export function pageCount(pages: number): number {
  return Number.isInteger(pages) && pages > 0 && pages <= 50_000 ? pages : 0
}
