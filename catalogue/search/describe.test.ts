import { describe, expect, test } from 'vitest'
import { starter } from '#catalogue/starter-works.ts'
import { searchForm } from '#shared/search-form.ts'
import { openStarter } from '#tests/open-starter.ts'
import { describedBooks, judgeDescribed } from './described.fixture.ts'

const { catalogue } = await openStarter()

const ask = (form: Record<string, string>) => catalogue.search(searchForm.parse(form))
const titles = async (form: Record<string, string>) =>
  (await ask(form)).books.map((book) => book.title)

describe('a description', () => {
  test('is answered where no title or author explains it, and each book says why', async () => {
    const { books, matches = {} } = await ask({ q: 'a sailor obsessed with hunting a whale' })
    expect(books[0]?.title).toBe('Moby-Dick')
    expect(matches[books[0]?.id ?? '']?.sentence).toMatch(/white whale/)
    const wizards = await ask({ q: 'coming of age at a wizard school' })
    const witch = wizards.books.find((book) => book.title.startsWith('Witch Hat Atelier'))
    expect(wizards.matches?.[witch?.id ?? '']?.subjects).toContain('Coming of Age')
  })

  test('is understood in other words than those of the catalogue', async () => {
    expect(await titles({ q: 'an epidemic in a quarantined town', mode: 'describe' })).toContain(
      'The Plague',
    )
  })

  test('finds books by plot, people and places', async () => {
    const q = 'two brothers try to bring their dead mother back'
    expect((await titles({ q, mode: 'describe' }))[0]).toMatch(/^Fullmetal Alchemist/)
    const { books, matches } = await ask({ q: 'roy mustang in amestris' })
    expect(books[0]?.title).toMatch(/^Fullmetal Alchemist/)
    expect(matches?.[books[0]?.id ?? '']?.subjects).toEqual([
      expect.stringMatching(/^Roy Mustang/),
      'Amestris',
    ])
  })

  test('is looked for in words alone when the reader wants that', async () => {
    const found = await ask({ q: 'boys stranded on an island turn savage', mode: 'words' })
    expect(found.matches).toBeUndefined()
    expect(found.books.map((book) => book.title)).not.toContain('Lord of the Flies')
  })

  test('can be narrowed by the other fields', async () => {
    const q = 'ghosts and haunted houses'
    expect(await titles({ q, mode: 'describe', genre: 'Manga' })).toContain('Ju-On, Vol. 1')
    const classics = await ask({ q, mode: 'describe', genre: 'Classics' })
    expect(classics.books.length).toBeGreaterThan(0)
    expect(classics.books.every((book) => book.genres.includes('Classics'))).toBe(true)
  })

  test('that nothing answers finds nothing', async () => {
    expect(await ask({ q: 'qzxvk wqjjx of the plmokn' })).toMatchObject({ books: [] })
  })

  test('pages through its books without repeating one', async () => {
    const q = 'a love story in a school'
    const first = await ask({ q, mode: 'describe' })
    const second = await ask({ q, mode: 'describe', page: '2' })
    expect(first.hasMoreResults).toBe(true)
    const ids = [...first.books, ...second.books].map((book) => book.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('finds a book just learned from an outside source', async () => {
    await catalogue.learn('openlibrary', [
      {
        title: 'The Lamplit Stair',
        other_titles: [],
        authors: ['Ilse Marrow'],
        genres: ['Lighthouses'],
        description: 'Two keepers quarrel over a barometer. A third arrives by balloon.',
        readers: 0,
        editions: [
          {
            id: 'OL990099M',
            ids: {},
            image_links: [],
            page_count: 0,
            published_date: '',
            publisher: '',
            language: 'eng',
          },
        ],
      },
    ])
    const { books, matches } = await ask({ q: 'lighthouse keepers quarrelling about a barometer' })
    expect(books[0]?.title).toBe('The Lamplit Stair')
    expect(matches?.[books[0]?.id ?? '']).toEqual({
      subjects: ['Lighthouses'],
      sentence: 'Two keepers quarrel over a barometer.',
    })
  })
})

test('the judged descriptions are answered far better than by words alone', async () => {
  expect(describedBooks.length).toBeGreaterThanOrEqual(60)
  const answers = async (mode: string) => {
    const found = await Promise.all(
      describedBooks.map(async ({ q }) => [q, await titles({ q, mode })] as const),
    )
    const byQuestion = new Map(found)
    return judgeDescribed((q) => byQuestion.get(q) ?? [])
  }
  const [words, auto, described] = [
    await answers('words'),
    await answers('auto'),
    await answers('describe'),
  ]
  expect(described.success).toBeGreaterThanOrEqual(0.92)
  expect(described.ndcg).toBeGreaterThanOrEqual(0.82)
  expect(auto.success).toBeGreaterThanOrEqual(0.92)
  expect(auto.ndcg).toBeGreaterThan(words.ndcg + 0.4)
})

/** The books with texts of our own, and every hundredth of the others. */
const some = [...starter().works].filter((work, i) => work.description !== '' || i % 100 === 0)

test('a title or an author is never taken for a description', async () => {
  const misled: string[] = []
  const names = some.flatMap(({ title, authors: [author = ''] }) => [
    title,
    `${title} ${author}`,
    author,
  ])
  for (const q of new Set(names)) {
    const form = searchForm.safeParse({ q })
    if (form.success && (await catalogue.search(form.data)).matches) misled.push(q)
  }
  expect(misled).toEqual([])
})

describe('more detail', () => {
  const described = describedBooks.map(({ q, wanted: [title = ''] }) => ({ q, title }))
  const has = async (q: string, title: string) => {
    const form = { q, mode: 'describe' }
    const isOn = async (page: string) =>
      (await titles({ ...form, page })).some((found) => found.startsWith(title))
    return (await isOn('1')) || isOn('2')
  }
  const works = starter().works

  // 7 s: searches for every description with up to four additions.
  test('that is true never loses a book', async () => {
    const lost: string[] = []
    for (const { q, title } of described) {
      const work = [...works].find((each) => each.title.startsWith(title))
      if (work === undefined || !(await has(q, title))) continue
      const words = work.description.match(/\p{L}{5,}/gu) ?? []
      for (let count = 2; count <= Math.min(8, words.length); count += 2) {
        const longer = `${q} ${words.slice(0, count).join(' ')}`.slice(0, 250)
        if (!(await has(longer, title))) lost.push(longer)
      }
    }
    expect(lost).toEqual([])
  })

  test('that is wrong costs rank and not the answer', async () => {
    const lost: string[] = []
    for (const [i, { q, title }] of described.entries()) {
      if (!(await has(q, title))) continue
      const wrong = described[(i + 31) % described.length]?.q.split(' ').slice(-2).join(' ') ?? ''
      if (!(await has(`${q} ${wrong}`, title))) lost.push(`${q} + ${wrong}`)
    }
    expect(lost).toEqual([])
  })

  test('of a long text that names nothing is looked for unasked', async () => {
    const q =
      'a book about the plague where a doctor in a north african port fights it with volunteers for months while the gates stay shut and a journalist tries to smuggle himself out'
    expect(await titles({ q })).toContain('The Plague')
  })

  test('is not needed: one word is a description where no name has it', async () => {
    const { books, matches } = await ask({ q: 'governess' })
    expect(books.map((book) => book.title)).toContain('Jane Eyre')
    expect(matches).toBeDefined()
  })
})
