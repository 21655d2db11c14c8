import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importRowStates } from '#shared/import.ts'
import { describeMigratedSqlite } from '#tests/databases.ts'
import { counted, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const folder = fileURLToPath(new URL('../../../shared/data/imports/', import.meta.url))
const page = fileURLToPath(new URL('../../docs/import.md', import.meta.url))
/** The states before an import is applied. */
const shown = importRowStates.filter((state) => state !== 'applied')
const catalogue = await openFederatedStarter()

// The files are other people's data and not part of the project.
describe.skipIf(!existsSync(folder))('exports of other trackers', () => {
  describeMigratedSqlite('each in an empty library', (open) => {
    const of = useImports(open, catalogue)

    // 7 s: reads and matches all of the files.
    test('have as many rows as docs/import.md says, and no wrong match', async () => {
      const files = globSync('*/*.{csv,tsv,txt,json,db}', { cwd: folder }).toSorted()
      const matched: string[] = []
      const lines: (string | number)[][] = []
      for (const file of files) {
        const read = await of.send(readFileSync(`${folder}${file}`))
        expect([file, read.state, counted(read)]).toEqual([file, 'waiting', read.total])
        const states = shown.map((state) => read[state])
        lines.push([`\`${file}\``, read.total, ...states])
        for (const { state, read: row, book } of await of.rows(read.id))
          if (state === 'matched')
            matched.push(`${row!.title} → ${book!.title}, ${book!.authors.join(', ')}`)
        await of.reader.client.collection('imports').delete(read.id)
      }
      const rows = readFileSync(page, 'utf8').matchAll(/^\| (`\w+\/.+) \|$/gm)
      const told = Array.from(rows, ([, row]) => row!.split('|').map((cell) => cell.trim()))
      expect(lines.map((line) => line.map(String))).toEqual(told)
      // The book each one was matched to, checked by hand.
      expect(matched.toSorted()).toEqual([
        'Brave New World → Brave New World, Aldous Huxley',
        'Brave New World → Brave New World, Aldous Huxley',
        'Dune → Dune, Frank Herbert',
        'Fahrenheit 451 → Fahrenheit 451, Ray Bradbury',
        'Fahrenheit 451 → Fahrenheit 451, Ray Bradbury',
        'Fantastic Mr Fox → Fantastic Mr. Fox, Roald Dahl',
        'Foundation → Foundation, Isaac Asimov',
        'Meditations → Meditations, Marcus Aurelius',
        'Tales from Earthsea → Tales from Earthsea, Ursula K. Le Guin',
        'Tales from Earthsea → Tales from Earthsea, Ursula K. Le Guin',
        'The Blade Itself → The Blade Itself, Joe Abercrombie',
        'The Dispossessed → The Dispossessed, Ursula K. Le Guin',
        'The Grapes of Wrath → The Grapes of Wrath, John Steinbeck',
        "The Handmaid's Tale → The Handmaid's Tale, Margaret Atwood",
        'The Hobbit → The Hobbit, J. R. R. Tolkien',
        'The Lathe of Heaven → The Lathe of Heaven, Ursula K. Le Guin',
        'The Left Hand of Darkness → The Left Hand of Darkness, Ursula K. Le Guin',
        'Thus Spoke Zarathustra → Thus Spoke Zarathustra, Friedrich Nietzsche',
      ])
    })
  })
})
