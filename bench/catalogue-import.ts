import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { importDumps } from '#catalogue/import/import-dumps.ts'
import type { Dump } from '#catalogue/import/options.ts'
import { starter } from '#catalogue/starter-works.ts'
import { table } from './table.ts'

/** Imports the dumps of a folder into the same folder, and tells how long each step took. */
export async function importInto(folder: string): Promise<string> {
  const dump = (name: Dump) => join(folder, `${name}.txt.gz`)
  const popularity = dump('popularity')
  const steps: { step: string; at: number; cpu: number }[] = []
  const seconds = () => performance.now() / 1000
  const cpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
  const start = (step: string) => steps.push({ step, at: seconds(), cpu: cpu() })
  const { lines } = await importDumps(
    {
      file: join(folder, 'catalogue.db'),
      learnt: join(folder, 'catalogue-learnt.db'),
      staged: join(folder, 'catalogue-import.db'),
    },
    {
      dumps: {
        authors: dump('authors'),
        works: dump('works'),
        editions: dump('editions'),
        ...(existsSync(popularity) ? { popularity } : {}),
      },
      subset: { languages: [], withIsbn: false, leastEditions: 1 },
    },
    starter(),
    { start, update: () => {}, stop: () => {} },
  )
  start('end')
  const rows = steps.slice(0, -1).map(({ step, at, cpu }, i) => {
    const next = steps[i + 1]
    return [step, ((next?.at ?? 0) - at).toFixed(1), ((next?.cpu ?? 0) - cpu).toFixed(1)]
  })
  const [first, end] = [steps[0], steps.at(-1)]
  const whole = (end?.at ?? 0) - (first?.at ?? 0)
  const editions = lines.find((each) => each.dump === 'editions')?.lines ?? 0
  const memory = process.resourceUsage().maxRSS / 1024
  return `## Import

${table([['Step', 'seconds', 'CPU seconds'], ...rows])}

${whole.toFixed(1)} s, ${((end?.cpu ?? 0) - (first?.cpu ?? 0)).toFixed(1)} s of processor time, ${(editions / whole).toFixed(0)} editions a second, ${memory.toFixed(0)} MB at most.`
}
