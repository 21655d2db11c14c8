/** Colours a reader can have buttons, links and marks in; the first is everybody's. */
export const accents = ['rubric', 'forest', 'ocean', 'violet', 'plum', 'umber'] as const
export type Accent = (typeof accents)[number]

export const accentLabels: Record<Accent, string> = {
  rubric: 'Rubric',
  forest: 'Forest',
  ocean: 'Ocean',
  violet: 'Violet',
  plum: 'Plum',
  umber: 'Umber',
}

/** What the reader of the free plan is told about them. */
export const accentLimitMessage = 'Choosing a colour is part of Premium Scholar.'
