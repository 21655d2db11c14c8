/** Accent colours for buttons, links and marks; the first is the default. */
export const accents = ['rubric', 'forest', 'ocean', 'violet', 'plum', 'umber'] as const
export type Accent = (typeof accents)[number]

/** The server's answer if a reader on the free plan sends one. */
export const accentLimitMessage = 'Choosing a colour is part of Premium Scholar.'
