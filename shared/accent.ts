/** Colours a reader can have buttons, links and marks in; the first is everybody's. */
export const accents = ['rubric', 'forest', 'ocean', 'violet', 'plum', 'umber'] as const
export type Accent = (typeof accents)[number]

/** The server's answer to a reader of the free plan who sends one. */
export const accentLimitMessage = 'Choosing a colour is part of Premium Scholar.'
