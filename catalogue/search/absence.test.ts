import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { starter } from '#catalogue/starter-works.ts'
import { searchForm } from '#shared/search-form.ts'
import { openStarter } from '#tests/open-starter.ts'

const { catalogue } = await openStarter()

const works = [...starter().works]
/** Those with texts of our own. */
const handWritten = works.filter(({ description }) => description !== '')
/** All of them, and every hundredth of the others. */
const some = works.filter(({ description }, i) => description !== '' || i % 100 === 0)

const ask = (form: Record<string, string>) => catalogue.search(searchForm.parse(form))

describe('a book that is not here', () => {
  const isMissing = async (form: Record<string, string>) => {
    const { books, absent } = await ask(form)
    return books.length === 0 || absent === true
  }

  test.each([
    'project hail mary',
    'atomic habits',
    'fullmetal panic',
    'mexican gothic',
    'slam dunk',
    'lessons in chemistry',
  ])('is reported as missing: %s', async (q) => {
    expect(await isMissing({ q })).toBe(true)
    expect(await isMissing({ q, order: 'newest' })).toBe(true)
    expect(await isMissing({ title: q })).toBe(true)
  })

  test('is reported as missing for nine titles of ten', async () => {
    const file = new URL('absent-titles.json', import.meta.url)
    const titles = JSON.parse(readFileSync(file, 'utf8')) as string[]
    const found: string[] = []
    for (const q of titles) if (!(await isMissing({ q }))) found.push(q)
    expect(found.length, found.join(', ')).toBeLessThanOrEqual(titles.length / 10)
  })

  test('leaves what comes close, and says which words it is found without', async () => {
    const {
      books,
      left_out: leftOut,
      did_you_mean: meant,
    } = await ask({ q: 'Transcendent kingdom' })
    expect(books.map((book) => book.title)).toContain('The Twelve Kingdoms: Sea of Shadow')
    expect(leftOut).toEqual(['Transcendent'])
    expect(meant).toBeUndefined()
  })

  test('is not replaced by words that are only written nearly so', async () => {
    expect(await ask({ q: 'the ferryboat raffle' })).toMatchObject({ books: [] })
  })

  test('says which words of a description no book has, and not its "with"', async () => {
    const { left_out: leftOut } = await ask({
      q: 'a doctor with a priest fights an epidemic of rats in quarantined xyzzyland',
    })
    expect(leftOut).toEqual(['xyzzyland'])
  })

  test('may be a description: the books are shown with what fits', async () => {
    const { absent, matches } = await ask({ q: 'a locked room' })
    expect(absent).toBe(true)
    expect(matches).toBeDefined()
  })

  test.each([
    'sailor hunting a white whale',
    'a miser is visited by three ghosts on christmas eve and changes his life',
    'a town obsessed with spirals',
    'a book where pigs take over a farm',
  ])('is no title when it is a sentence: %s', async (q) => {
    for (const text of [q, `${q}, 390`]) {
      const { absent, matches } = await ask({ q: text })
      expect([absent, matches !== undefined]).toEqual([undefined, true])
    }
  })

  test('is a title when it is written as one, whatever it describes', async () => {
    const { absent, matches } = await ask({ q: 'The Seven Husbands of Evelyn Hugo' })
    expect([absent, matches !== undefined]).toEqual([true, true])
  })
})

/** Two letters inside the longest word swapped. */
function mistyped(text: string): string {
  const words = text.toLowerCase().match(/[a-z\d]+/g) ?? []
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const slip = longest.replace(/^(.)(.)(.)/, '$1$3$2')
  return words.map((word) => (word === longest ? slip : word)).join(' ')
}

describe('a book that is here', () => {
  test('is never said to be missing, by its titles and by its authors', async () => {
    const names = some.flatMap(({ title, other_titles: others, authors }) => [
      title,
      ...others,
      ...authors,
      `${title} ${authors[0]}`,
    ])
    const missing: string[] = []
    for (const q of new Set(names)) {
      const form = searchForm.safeParse({ q: q.slice(0, 255) })
      if (!form.success) continue
      const { books, absent } = await catalogue.search(form.data)
      if (absent || books.length === 0) missing.push(q)
    }
    expect(missing).toEqual([])
  })

  test.each([
    'frankenstien',
    'prideandprejudice',
    'a tail of two cities',
    'vanity fare',
    'king leer',
    'dostojewski',
    'hemmingway',
    'crme and punishmnet',
    'shakespear macbeth',
    'monte cristo',
    'pride and prejudice novel',
    'who wrote frankenstein',
    'death note volume four',
    'romance',
  ])('is not said to be missing when it is written otherwise: %s', async (q) => {
    const { books, absent } = await ask({ q })
    expect([books.length > 0, absent]).toEqual([true, undefined])
  })

  test('is found by title and author with a typo in each', async () => {
    const missing: string[] = []
    for (const { title, authors } of handWritten) {
      const author = authors[0] ?? ''
      const q = `${mistyped(title)} ${mistyped(author)}`
      if (/[^ -~]/.test(title + author)) continue
      const { books, absent } = await ask({ q })
      if (absent || !books.some((book) => book.title === title)) missing.push(q)
    }
    expect(missing).toEqual([])
  })

  test('is found without a word that is nowhere, which is named', async () => {
    const {
      absent,
      books,
      left_out: leftOut,
    } = await ask({ q: 'pride and prejudice and xylophones' })
    expect([absent, leftOut]).toEqual([undefined, ['xylophones']])
    expect(books[0]?.title).toBe('Pride and Prejudice')
    expect(await ask({ q: 'pride and prejudice' })).not.toHaveProperty('left_out')
  })
})

test('filters alone and exact phrases are not the name of a book', async () => {
  expect(await ask({ author: 'nobody atall' })).not.toHaveProperty('absent')
  expect(await ask({ q: 'nowhere to be found', by: '2' })).not.toHaveProperty('absent')
})
