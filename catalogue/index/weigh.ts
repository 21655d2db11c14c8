import type { BookMatch } from '#shared/book.ts'
import type { Saying } from './concepts.ts'
import { bucketOfDocid, topBucket } from './schema.ts'
import { tellingStems, type WorkText } from './subject-index.ts'

export interface Form {
  stems: Saying
  worth: number
}

/** One thing that was described, in every way to say it. */
export interface Thing {
  forms: Form[]
  /** How much it tells: the rarer, the more. */
  weight: number
}

/** What a word found here is worth. */
const worth = { subject: 1, detail: 0.95, description: 0.9, about: 0.85, title: 0.75 }
/** All of a subject was asked for: the catalogue says just this. */
const wholeSubject = 0.15
/** What being read by everyone is worth beside explaining all of a description. */
const fame = 0.22

/**
 * How well a work answers what was described.
 *
 * @param total the weight of all things
 * @returns the share explained, 0 to 1, and by what it is put in order
 */
export function weigh(
  text: WorkText,
  things: Thing[],
  total: number,
): { share: number; score: number } {
  const title = new Set(tellingStems(text.title))
  const subjects = text.genres.map((genre) => new Set(tellingStems(genre)))
  const places = [
    ...subjects.map((stems) => ({ stems, worth: worth.subject })),
    { stems: new Set(text.details.flatMap(tellingStems)), worth: worth.detail },
    { stems: new Set(tellingStems(text.description)), worth: worth.description },
    { stems: new Set(tellingStems(text.about)), worth: worth.about },
    { stems: title, worth: worth.title },
  ]
  let found = 0
  let bonus = 0
  for (const { forms, weight } of things) {
    const best = Math.max(
      0,
      ...forms.flatMap((form) =>
        places.filter(({ stems }) => holds(stems, form)).map((place) => place.worth * form.worth),
      ),
    )
    found += best * weight
    for (const form of forms)
      if (subjects.some((stems) => stems.size === form.stems.length && holds(stems, form)))
        bonus += wholeSubject * form.worth * weight
  }
  const known = (fame * bucketOfDocid(text.docid)) / topBucket
  return { share: found / total, score: (found + bonus) / total + known }
}

/** @returns the subjects of a work that fit what was described, and the sentence that fits best */
export function matchOf(
  { genres, details, description, about }: WorkText,
  things: Thing[],
): BookMatch {
  const forms = things.flatMap((thing) => thing.forms)
  const best = [...sentencesOf(description), ...sentencesOf(about)]
    .map((text) => ({ text, found: foundIn(text, things) }))
    .reduce((a, b) => (b.found > a.found ? b : a), { text: '', found: 0 })
  return {
    subjects: [...genres, ...details].filter((subject) => {
      const stems = new Set(tellingStems(subject))
      return forms.some((form) => holds(stems, form))
    }),
    sentence: best.text,
  }
}

function foundIn(sentence: string, things: Thing[]): number {
  const stems = new Set(tellingStems(sentence))
  return things.reduce((sum, { forms, weight }) => {
    const held = forms.filter((form) => holds(stems, form)).map((form) => form.worth)
    return sum + weight * Math.max(0, ...held)
  }, 0)
}

function holds(stems: ReadonlySet<string>, form: Form): boolean {
  return form.stems.every((each) => stems.has(each))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

function sentencesOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean)
}
