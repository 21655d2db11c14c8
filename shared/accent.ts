/** Accent colours for buttons, links and marks; the first is the default. */
export const accents = ['rubric', 'forest', 'ocean', 'violet', 'plum', 'umber'] as const
export type Accent = (typeof accents)[number]
