import { parseArgs } from 'node:util'
import { ImportError } from './dump-lines.ts'
import type { Subset } from './records.ts'

/** The dumps in the order of their import: works need their authors' names. */
export const dumpNames = [
  'authors',
  'works',
  'editions',
  'series',
  'popularity',
  'ratings',
  'reading-log',
] as const
export type Dump = (typeof dumpNames)[number]

/** Which records to import. */
interface ImportSubset extends Subset {
  /** Works with fewer editions are skipped. */
  leastEditions: number
}

export interface ImportOptions {
  /** Paths of the given dumps. */
  dumps: Partial<Record<Dump, string>> & Record<'authors' | 'works' | 'editions', string>
  subset: ImportSubset
}

const dump = (about: string) => ({ type: 'string', value: 'file', about }) as const

/** The options of the command line. */
export const importFlags = {
  authors: dump("Open Library's dump of authors"),
  works: dump("Open Library's dump of works"),
  editions: dump("Open Library's dump of editions"),
  series: dump('the dump of Open Library that has its series, named “other”'),
  popularity: dump('how often each work is read: work key, tab, count'),
  ratings: dump("Open Library's dump of ratings"),
  'reading-log': dump("Open Library's dump of reading logs"),
  language: {
    type: 'string',
    multiple: true,
    value: 'code',
    about: 'only editions in this language (MARC code, such as eng); may be repeated',
  },
  'with-isbn': { type: 'boolean', about: 'only editions with an ISBN' },
  'min-editions': {
    type: 'string',
    value: 'number',
    about: 'only works with at least this many editions',
  },
} as const

/** @throws ImportError with a message an operator can act on */
export function importOptions(args: string[]): ImportOptions {
  const { values } = parsed(args)
  const { authors, works, editions } = values
  if (!authors || !works || !editions)
    throw new ImportError(
      'The dumps of authors, works and editions are needed; see npm run catalogue:import -- --help',
    )
  const leastEditions = Number(values['min-editions'] ?? 1)
  if (!Number.isInteger(leastEditions) || leastEditions < 1)
    throw new ImportError('--min-editions must be a whole number from 1.')
  const languages = (values.language ?? []).flatMap((codes) => codes.split(','))
  const wrong = languages.find((code) => !/^[a-z]{3}$/.test(code))
  if (wrong !== undefined)
    throw new ImportError(`--language must be a three-letter MARC code, not ${wrong}.`)
  const dumps = { authors, works, editions }
  for (const name of ['series', 'popularity', 'ratings', 'reading-log'] as const)
    if (values[name]) Object.assign(dumps, { [name]: values[name] })
  return { dumps, subset: { languages, withIsbn: values['with-isbn'] ?? false, leastEditions } }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: importFlags })
  } catch (error) {
    throw new ImportError(error instanceof Error ? error.message : String(error))
  }
}
