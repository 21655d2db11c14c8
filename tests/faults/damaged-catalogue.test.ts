import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openInstallation } from './installation.ts'

/** What the catalogue keeps is all made from elsewhere: it may break without anybody noticing. */
test.each(['that is no database', ''])(
  'a catalogue whose files hold %j is made anew',
  async (junk) => {
    const { dataDir, start } = await openInstallation('SQLite')
    const first = await start()
    const search = async (url: string) => {
      const answer = await fetch(`${url}/api/v1/book-info/search?q=pride+and+prejudice`)
      const { data } = (await answer.json()) as { data: { books: { title: string }[] } }
      return [answer.status, data.books[0]?.title]
    }
    const found = [200, 'Pride and Prejudice']
    expect(await search(first.url)).toEqual(found)
    expect(await first.stop()).toBe(0)
    const files = readdirSync(dataDir).filter((name) => /^(?:catalogue|sources)\S*\.db$/.test(name))
    expect(files.toSorted()).toEqual(['catalogue-learnt.db', 'catalogue.db', 'sources.db'])
    for (const name of files) writeFileSync(join(dataDir, name), junk)
    const second = await start()
    expect(await search(second.url)).toEqual(found)
    expect((await fetch(second.url)).status).toBe(200)
  },
)
