/** @returns whether a text is a year or a month: `2026` or `2026-03` */
export const isPeriod = (text: string): boolean => /^[1-9]\d{3}(?:-(?:0[1-9]|1[0-2]))?$/.test(text)

/** @returns a path without its final slash, and that of the tab for one of a reader's years or months */
export function tabPath(path: string): string {
  const [, home, period = ''] = /^(\/u\/[^/]+)\/([^/]+)\/?$/.exec(path) ?? []
  return isPeriod(period) ? `${home}/year` : path.replace(/\/$/, '')
}
