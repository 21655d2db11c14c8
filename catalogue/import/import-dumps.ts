import { existsSync, rmSync } from 'node:fs'
import type { Starter } from '#catalogue/starter/build-index.ts'
import { openLearnt } from '#catalogue/learning/learnt.ts'
import { dumpStat, ImportError } from './dump-lines.ts'
import { makeIndex } from './make-index.ts'
import type { Dump, ImportOptions } from './options.ts'
import { dumpNames } from './options.ts'
import type { DumpRecords } from './read-dump.ts'
import type { DumpReader, ParsedBatch } from './dump-reader.ts'
import { openDumpReader } from './dump-reader.ts'
import type { SkipReason } from './records.ts'
import type { Staging } from './staging.ts'
import { openStaging } from './staging.ts'
import type { RecordWriter } from './record-writers.ts'
import { recordWriters } from './record-writers.ts'

/** Lines per transaction. */
const batchLines = 4_000

/** The files of an import. */
interface ImportFiles {
  /** The index to replace. */
  file: string
  learnt: string
  /** The staging file. */
  staged: string
}

/** Shows an import's progress. */
export interface ProgressReporter {
  /** Starts a step: a dump's name, or "index", with its total and unit. */
  start(step: Dump | 'index', total: number, unit: 'bytes' | 'works', done: number): void
  /** @param done units so far @param count lines or works so far */
  update(done: number, count: number): void
  /** Ends the display, after success or failure. */
  stop(): void
}

/** An import's result. */
export interface ImportReport {
  resumed: boolean
  works: number
  lines: { dump: Dump; lines: number }[]
  skipped: { dump: string; reason: string; lines: number }[]
}

/**
 * Imports the monthly dumps of Open Library and rebuilds the index. If it is killed and called
 * again with the same files and options, it continues where it was, with the same result.
 *
 * @throws ImportError if a file is missing, cut short or not such a dump; staged records and the
 *   old index stay
 */
export async function importDumps(
  files: ImportFiles,
  options: ImportOptions,
  starter: Starter,
  reporter: ProgressReporter,
): Promise<ImportReport> {
  const taken = await importAll(files, options, reporter)
  const { works } = await rebuild(files, options.subset.leastEditions, starter, reporter)
  return { ...taken, works }
}

async function importAll(
  files: ImportFiles,
  options: ImportOptions,
  reporter: ProgressReporter,
): Promise<Omit<ImportReport, 'works'>> {
  using staging = openStaging(files.staged, options)
  await using reader = openDumpReader(options.subset)
  const writers = recordWriters(staging.db)
  const importIfGiven = async <Name extends Dump>(dump: Name) => {
    const file = options.dumps[dump]
    if (file === undefined) return
    await importDump(staging, reader, { dump, file }, writers[dump], reporter)
    requireDump(staging, dump, file)
  }
  for (const dump of dumpNames) await importIfGiven(dump)
  const lines = dumpNames
    .filter((dump) => options.dumps[dump] !== undefined)
    .map((dump) => ({ dump, lines: staging.progress(dump).lines }))
  return { resumed: staging.resumed, lines, skipped: staging.report() }
}

/** Reasons that don't identify a dump. Redirects are in every dump. */
const genericReasons = new Set<string>([
  'a line of another form',
  'another type of record',
  'no usable key',
  'redirected to another record',
  'deleted',
] satisfies SkipReason[])

/** @throws ImportError if the file has no line of its dump, for example because two were swapped */
function requireDump(staging: Staging, dump: Dump, file: string): void {
  const { lines } = staging.progress(dump)
  if (lines === 0) throw new ImportError(`${file} is empty. The index was not changed.`)
  const others = staging
    .report()
    .filter((each) => each.dump === dump && genericReasons.has(each.reason))
  if (others.reduce((sum, each) => sum + each.lines, 0) < lines) return
  const reasons = others.map((each) => `${each.reason} (${each.lines})`).join(', ')
  throw new ImportError(`${file} is not a dump of ${dump}: ${reasons}. The index was not changed.`)
}

/** Rebuilds the index from the last import's staged records. */
export async function rebuild(
  { file, learnt, staged }: ImportFiles,
  leastEditions: number,
  starter: Starter,
  reporter: ProgressReporter,
): Promise<{ works: number }> {
  using kept = openLearnt(learnt)
  let begun = false
  return await makeIndex(file, { staged, leastEditions, starter, learnt: kept }, (done, total) => {
    if (!begun) reporter.start('index', total, 'works', 0)
    begun = true
    reporter.update(done, done)
  })
}

async function importDump<Name extends Dump>(
  staging: Staging,
  reader: DumpReader,
  { dump, file }: { dump: Name; file: string },
  openWriter: () => RecordWriter<DumpRecords[Name]>,
  reporter: ProgressReporter,
): Promise<void> {
  const before = staging.progress(dump)
  if (before.done) return
  reporter.start(dump, dumpStat(file).size, 'bytes', before.bytes)
  const writer = openWriter()
  let { lines } = before
  let waiting: ParsedBatch[] = []
  let count = 0
  const commit = ({ bytes, isLast }: ParsedBatch) => {
    const skipped = new Map<string, number>()
    const skip = (reason: string, lines: number) =>
      skipped.set(reason, (skipped.get(reason) ?? 0) + lines)
    lines += count
    staging.commit(dump, { lines, bytes, done: isLast }, skipped, () => {
      for (const batch of waiting) {
        for (const [reason, lines] of Object.entries(batch.skipped)) skip(reason, lines)
        // Our own reader thread wrote it, so it isn't validated.
        for (const record of JSON.parse(batch.records) as DumpRecords[Name][]) writer.add(record)
      }
      const unknown = writer.finish()
      if (unknown > 0) skip('edition of a work that was left out', unknown)
    })
    waiting = []
    count = 0
    reporter.update(bytes, lines)
  }
  for await (const batch of reader.read(dump, file, lines)) {
    waiting.push(batch)
    count += batch.lines
    if (batch.isLast || count >= batchLines) commit(batch)
  }
}

/** Deletes the staging file of an import. */
export function removeStaging(staged: string): void {
  for (const end of ['', '-wal', '-shm']) if (existsSync(staged + end)) rmSync(staged + end)
}
