/** Pixels: a booklet still has room for a finger's width of lettering, a brick stays a book. */
export function spineThickness(pages: number): number {
  if (pages <= 0) return 40
  return Math.round(Math.min(84, Math.max(32, 22 + pages / 14)))
}

/** Books of one shelf differ a little in height; each always by the same little. */
export function spineHeight(title: string): number {
  return 208 + (([...title].length * 7 + (title.codePointAt(0) ?? 0)) % 5) * 9
}
