import { expect, test } from 'vitest'
import { describeMigratedSqlite } from '#tests/databases.ts'
import { goodreadsHeader, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()

const libraryThing = [
  'Book Id\tTitle\tPrimary Author\tSecondary Author\tRating\tReview\tComment\tPrivate Comment\tMedia\tPage Count\tDate Started\tDate Read\tTags\tCollections\tISBN\tISBNs\tCopies\tEntry Date\tWork id',
  '1\tAlder Almanac\tAuthor, Ann\t\t4.5\t\t\t\tPaperback\t300\t\t\t\tYour library\t\t\t1\t2019-01-02\t11',
  '2\tBirch Ballads\tAuthor, Ann\t\t\t\t\t\t\t\t[2020-05-01]\t[2020-06-01]\t\tYour library\t\t\t1\t2019-01-02\t12',
  '3\tCedar Chronicle\tAuthor, Ann\t\t\t\t\t\t\t\t[2020-05-01]\t\t\tYour library\t\t\t1\t2019-01-02\t13',
  '4\tDamson Days\tAuthor, Ann\t\t\t\t\t\t\t\t\t\t\tCurrently reading\t\t\t1\t2019-01-02\t14',
].join('\n')

const calibre = `authors,author_sort,library_name,timestamp,title,tags,rating,uuid
Ann Author,"Author, Ann",Library,2021-01-19,Elm Elegy,,,u1
`

const ownShelf = `${goodreadsHeader}
1,Fir Fables,Ann Author,,,0,,,2021/01/01,lent,lent,,
`

describeMigratedSqlite('a row without a known status', (open) => {
  const of = useImports(open, catalogue)
  const readings = () =>
    of.reader.client.collection('readings').getFullList({ sort: 'finished', requestKey: null })
  const statuses = async () => (await of.books()).map(({ status }) => status)

  // 995 of 995 books of a LibraryThing export were being read.
  test.each([
    [libraryThing, ['planning', 'completed', 'planning', 'reading'], 1],
    [calibre, ['planning'], 0],
    [ownShelf, ['planning'], 0],
    ['Title,Author\nElm Elegy,Ann Author\n', ['planning'], 0],
  ])(
    'is planned, unless it was finished on a day, whatever new books get: %#',
    async (file, expected, ended) => {
      const { client, id: user } = of.reader
      const [settings] = await client
        .collection('settings')
        .getFullList({ filter: `user = "${user}"` })
      await client.collection('settings').update(settings!.id, { default_add_status: 'reading' })
      const { id } = await of.send(file)
      await of.step(id, { state: 'applying' })
      expect(await statuses()).toEqual(expected)
      const made = await readings()
      expect(made.filter(({ outcome }) => outcome === 'finished')).toHaveLength(ended)
      expect(made.filter(({ outcome }) => outcome === 'reading')).toHaveLength(
        expected.filter((one) => one === 'reading').length,
      )
      const again = await of.send(file)
      expect(await of.step(again.id, { state: 'applying' })).toMatchObject({ applied: 0 })
      expect(await statuses()).toEqual(expected)
      expect(await readings()).toEqual(made)
    },
  )

  test('is counted in the preview, with what else was read differently', async () => {
    const read = await of.send(libraryThing)
    expect(read).toMatchObject({
      warnings: { statusMissing: 2, statusFromDate: 1, startUnused: 1 },
      unused: ['Work id'],
    })
    const [first, second, third, fourth] = await of.rows(read.id)
    expect(first!.warnings).toEqual([
      { key: 'statusMissing', reason: 'The file has no status for it.' },
    ])
    expect(first).toMatchObject({
      read: { status: 'planning' },
      message: { key: 'notInCatalogue' },
    })
    expect(second).toMatchObject({ read: { status: 'completed' } })
    expect(third!.warnings).toMatchObject([
      { key: 'statusMissing' },
      { key: 'startUnused', params: { value: '2020-05-01' } },
    ])
    expect(fourth!.warnings).toEqual([])
    const [own] = await of.rows((await of.send(ownShelf)).id)
    expect(own!.warnings).toMatchObject([
      { key: 'statusUnknown', params: { column: 'Exclusive Shelf', value: 'lent' } },
    ])
    const some = await of.reader.client
      .collection('import_rows')
      .getFullList({ filter: `import = "${read.id}" && warnings ~ '"key":"statusMissing"'` })
    expect(some).toHaveLength(2)
  })

  test('is not asked about in a file without rows', async () => {
    expect(await of.send(`${goodreadsHeader}\n`)).toMatchObject({
      state: 'failed',
      error: 'There are no books in this file.',
    })
  })

  test('gets the status that the reader chooses for all of them', async () => {
    const { id, options } = await of.send(libraryThing)
    await of.step(id, { state: 'applying', options: { ...options, no_status: 'completed' } })
    expect(await statuses()).toEqual(['completed', 'completed', 'completed', 'reading'])
    expect((await readings()).filter(({ outcome }) => outcome === 'finished')).toHaveLength(3)
  })
})
