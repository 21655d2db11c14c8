import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SingleBar } from 'cli-progress'
import { catalogueFiles } from '../files.ts'
import { metaOf } from '../index/meta.ts'
import { openLearnt } from '../learning/learnt.ts'
import { preparedRows } from '../index/rows.ts'
import { starter } from '../starter-works.ts'
import { ImportError } from './dump-lines.ts'
import type { ImportReport, ProgressReporter } from './import-dumps.ts'
import { lockFolder } from './lock.ts'
import { removeStaging, importDumps, rebuild } from './import-dumps.ts'
import { importOptions } from './options.ts'
import { stagedFingerprint, stagedMinEditions } from './staging.ts'

type Say = (line: string) => void

/** Commands that only one process at a time may run. */
const changing = ['import', 'rebuild', 'forget']

/**
 * Runs an operator's command: `import`, `status`, `rebuild` or `forget`. A server on the same
 * folder can go on searching and then uses the new index.
 *
 * @param args the command and its arguments
 * @param folder the data folder
 * @param reporter shows the progress; a bar by default
 * @returns the exit code: 0, or 1 after printing what is wrong
 */
export async function runCatalogueCommand(
  [command = '', ...args]: string[],
  folder: string,
  say: Say = console.log,
  reporter: ProgressReporter = bars(say),
): Promise<number> {
  const files = catalogueFiles(folder)
  try {
    using _lock = changing.includes(command) ? lockFolder(files.lock) : null
    if (command === 'import') {
      const report = await importDumps(files, importOptions(args), starter(), reporter)
      for (const line of reportLines(report)) say(line)
    } else if (command === 'rebuild') {
      const leastEditions = stagedMinEditions(files.staged)
      if (leastEditions === null)
        throw new ImportError('There is nothing to rebuild from: run catalogue:import first.')
      const { works } = await rebuild(files, leastEditions, starter(), reporter)
      say(`The index was rebuilt with ${number(works)} works from the import.`)
    } else if (command === 'forget') {
      removeStaging(files.staged)
      say('What the import kept on its way is removed. The index stays as it is.')
    } else if (command === 'status') for (const line of statusLines(files)) say(line)
    else throw new ImportError('The commands are import, status, rebuild and forget.')
    return 0
  } catch (error) {
    // A running bar would be redrawn for ever.
    reporter.stop()
    if (!(error instanceof ImportError)) throw error
    say(error.message)
    return 1
  }
}

const number = (value: number) => value.toLocaleString('en')
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

/** A bar with rate and time left on a terminal, elsewhere a line every few seconds. */
function bars(say: Say): ProgressReporter {
  let bar: SingleBar | null = null
  let began = 0
  let first = 0
  const stop = () => {
    bar?.stop()
    bar = null
  }
  return {
    start(step, total, unit, done) {
      stop()
      began = Date.now()
      first = done
      const shown = unit === 'bytes' ? '{megabytes} MB, {count} lines' : '{count} works'
      bar = new SingleBar({
        format: `${step.padEnd(12)} {bar} {percentage} %  ${shown}  {rate}/s  {left} left`,
        // It fits eighty columns. Ctrl-C ends the process within SQLite's work, so don't change any
        // terminal setting that would have to be restored.
        barsize: 12,
        linewrap: true,
        noTTYOutput: true,
        notTTYSchedule: 5000,
        fps: 5,
        stopOnComplete: false,
      })
      if (total === 0) say(`${step}: empty`)
      bar.start(Math.max(total, 1), done, { megabytes: 0, count: 0, rate: '–', left: '–' })
      if (done > 0) say(`${step}: going on after ${megabytes(done)}`)
    },
    update(done, count) {
      const seconds = (Date.now() - began) / 1000
      const total = bar?.getTotal() ?? 0
      const rate = (done - first) / Math.max(seconds, 0.001)
      const left = rate > 0 ? Math.max(0, (total - done) / rate) : Number.NaN
      bar?.update(Math.min(done, total), {
        megabytes: (done / 1e6).toFixed(0),
        count: number(count),
        rate: rate > 1e5 ? megabytes(rate) : number(Math.round(rate)),
        left: duration(left),
      })
      if (done >= total) stop()
    },
    stop: stop,
  }
}

function duration(seconds: number): string {
  if (Number.isNaN(seconds)) return '–'
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`
}

function* reportLines({ works, lines, skipped }: ImportReport): Generator<string> {
  for (const { dump, lines: all } of lines) {
    const reasons = skipped.filter((each) => each.dump === dump)
    const left = reasons.reduce((sum, each) => sum + each.lines, 0)
    yield `${dump}: ${number(all - left)} of ${number(all)} lines taken in`
    for (const { reason, lines } of reasons) yield `  ${number(lines)} skipped: ${reason}`
  }
  yield `The index has ${number(works)} works from the dumps, and those that ship with Octavo.`
  yield 'A running server uses it from the next search on.'
}

function* statusLines(files: ReturnType<typeof catalogueFiles>): Generator<string> {
  const { works, imported } = metaOf(files.file)
  if (works === undefined) yield 'There is no index yet; Octavo builds one when it starts.'
  else {
    const size = statSync(files.file).size
    using db = new DatabaseSync(files.file, { readOnly: true })
    const [[editions] = []] = preparedRows(db, 'SELECT count(*) FROM edition')()
    const origin = imported === undefined ? 'the works that ship with Octavo' : imported
    yield `Index: ${number(Number(works))} works, ${number(Number(editions))} editions, ${megabytes(size)}, from ${origin}`
  }
  using learnt = openLearnt(files.learnt)
  yield `Learned from outside sources: ${number(learnt.count())} works`
  if (stagedFingerprint(files.staged) === null) yield 'Import: none kept.'
  else {
    yield `Import: ${megabytes(statSync(files.staged).size)} kept for catalogue:rebuild; catalogue:forget removes it`
    using db = new DatabaseSync(files.staged, { readOnly: true })
    const rows = preparedRows(db, 'SELECT dump, lines, done FROM progress ORDER BY rowid')()
    for (const [dump, lines, done] of rows)
      yield `  ${String(dump)}: ${number(Number(lines))} lines${done === 1 ? '' : ', not finished'}`
  }
}
