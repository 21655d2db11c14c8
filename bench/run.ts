/**
 * Measures the running product and writes the tables to bench/last-run.md; with the name of a
 * scenario it measures that one only and just prints. `npm run bench -- realtime`, `-- timing`,
 * `-- soak` and `-- screens` write files of their own, see there; `--short` runs a scenario just long enough to show
 * that it works; `npm run bench -- catalogue` needs
 * dumps, see ./catalogue.ts; `similar` and `taste` need what real readers said, see ./similar.ts and
 * ./taste.ts. Not a test: it fails only when answers are wrong.
 */
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batch } from './batch.ts'
import { catalogue } from './catalogue.ts'
import { described } from './described.ts'
import { devicePushes } from './device-pushes.ts'
import { directory } from './directory.ts'
import { importing } from './importing.ts'
import { connections, isShort, rounds } from './measure.ts'
import { library } from './library.ts'
import { matching } from './matching.ts'
import { notes } from './notes.ts'
import { readingLife } from './reading-life.ts'
import { reads } from './reads.ts'
import { realtime } from './realtime.ts'
import { screens } from './screens.ts'
import { searches } from './searches.ts'
import { signIns } from './sign-ins.ts'
import { similar } from './similar.ts'
import { size } from './size.ts'
import { soak } from './soak.ts'
import { taste } from './taste.ts'
import { timing } from './timing.ts'
import { machine } from './table.ts'
import { writes } from './writes.ts'

const [wanted, ...args] = process.argv.slice(2).filter((arg) => arg !== '--short')

/** Each measures in a folder of its own and tells in Markdown. */
const scenarios: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  reads,
  library,
  'reading-life': (folder) => readingLife(folder, args[0]),
  writes,
  batch,
  notes,
  size,
  'sign-ins': signIns,
  devices: devicePushes,
  searches: (folder) => searches(folder, args[0]),
  described,
  directory,
  importing: (folder) => importing(folder, args),
}

if (wanted === 'realtime') await realtime()
else if (wanted === 'timing') await timing()
else if (wanted === 'screens') await screens(args)
else if (wanted === 'soak') await soak(args[0] === undefined ? undefined : Number(args[0]))
else if (wanted === 'catalogue') await catalogue(args)
else if (wanted === 'matching') await matching(args)
else if (wanted === 'similar') await similar(args)
else if (wanted === 'taste') await taste(args)
else if (wanted !== undefined && !scenarios[wanted])
  throw new Error(
    `no scenario ${wanted}; there are ${Object.keys(scenarios).join(', ')}, realtime, timing, soak, screens, catalogue, matching, similar, taste`,
  )
else await run(wanted === undefined ? Object.keys(scenarios) : [wanted])

async function run(names: readonly string[]): Promise<void> {
  const sections: string[] = []
  for (const name of names) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'octavo-bench-'))
    sections.push(await scenarios[name]!(folder.path))
    console.log(sections.at(-1))
  }
  if (names.length === 1 || isShort) return
  const report = `# Last run of \`npm run bench\`

${machine()}, SQLite, ${connections} connections, median of ${rounds} rounds of 1 s.

${sections.join('\n')}`
  writeFileSync(join(import.meta.dirname, 'last-run.md'), report)
}
