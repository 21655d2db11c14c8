import type { BookMatch } from '#shared/book.ts'
import type { Phrase } from './concepts.ts'
import { bucketOfDocid, topBucket } from '../index/schema.ts'
import { stemMatcher, contentStems, type WorkText } from '../index/subject-index.ts'

export interface ConceptForm {
  stems: Phrase
  worth: number
}

/** One concept of a description, with all its expressions. */
export interface Concept {
  forms: ConceptForm[]
  /** The weight: the rarer, the higher. */
  weight: number
}

/** The weight of a word by the place it is found in. */
const worth = { subject: 1, detail: 0.95, description: 0.9, about: 0.85, title: 0.75 }
/** The bonus if the description names a whole subject. */
const wholeSubject = 0.15
/** The weight of popularity relative to explaining the whole description. */
const fame = 0.22

/**
 * Scores works against a description.
 *
 * @returns `total`, the weight of all concepts; `weigh`, which returns the share that a work
 *   explains, 0 to 1, and its score; `match`, which returns its matching subjects and best sentence
 */
export function conceptScorer(concepts: Concept[]): {
  total: number
  weigh: (text: WorkText) => { share: number; score: number }
  match: (text: WorkText) => BookMatch
} {
  const total = concepts.reduce((sum, { weight }) => sum + weight, 0)
  const forms = concepts.flatMap((concept) => concept.forms)
  const stemsIn = stemMatcher(new Set(forms.flatMap(({ stems }) => stems)))
  // A cache, as works share many subjects.
  const subjects = new Map<string, ReadonlySet<string>>()
  const stemsOfSubject = (genre: string) =>
    subjects.getOrInsertComputed(genre, () => new Set(contentStems(genre)))
  return {
    total,
    weigh({ docid, title, genres, details, description, about }) {
      const ofSubjects = genres.map(stemsOfSubject)
      const places = [
        ...ofSubjects.map((stems) => ({ stems, worth: worth.subject })),
        { stems: stemsIn(details.join('\n')), worth: worth.detail },
        { stems: stemsIn(description), worth: worth.description },
        { stems: stemsIn(about), worth: worth.about },
        { stems: stemsIn(title), worth: worth.title },
      ]
      let [found, bonus] = [0, 0]
      for (const { forms, weight } of concepts) {
        found += weight * bestOf(forms, places)
        for (const form of forms)
          if (ofSubjects.some((stems) => stems.size === form.stems.length && holds(stems, form)))
            bonus += wholeSubject * form.worth * weight
      }
      const known = (fame * bucketOfDocid(docid)) / topBucket
      return { share: found / total, score: (found + bonus) / total + known }
    },
    match({ genres, details, description, about }) {
      const foundIn = (sentence: string) => {
        const places = [{ stems: stemsIn(sentence), worth: 1 }]
        return concepts.reduce((sum, { forms, weight }) => sum + weight * bestOf(forms, places), 0)
      }
      const best = [...sentencesOf(description), ...sentencesOf(about)]
        .map((text) => ({ text, found: foundIn(text) }))
        .reduce((a, b) => (b.found > a.found ? b : a), { text: '', found: 0 })
      return {
        subjects: [...genres, ...details].filter((subject) => {
          const stems = stemsIn(subject)
          return forms.some((form) => holds(stems, form))
        }),
        sentence: best.text,
      }
    },
  }
}

/** @returns the weight of the best matching expression, or 0 */
function bestOf(
  forms: readonly ConceptForm[],
  places: readonly { stems: ReadonlySet<string>; worth: number }[],
): number {
  let best = 0
  for (const form of forms)
    for (const { stems, worth } of places)
      if (worth * form.worth > best && holds(stems, form)) best = worth * form.worth
  return best
}

function holds(stems: ReadonlySet<string>, form: ConceptForm): boolean {
  return form.stems.every((each) => stems.has(each))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

function sentencesOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean)
}
