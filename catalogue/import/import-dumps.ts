import { existsSync, rmSync } from 'node:fs'
import type { Starter } from '#catalogue/index/build.ts'
import { openLearnt } from '#catalogue/index/learnt.ts'
import { dumpState, ImportError } from './dump-lines.ts'
import { makeIndex } from './make-index.ts'
import type { Dump, ImportOptions } from './options.ts'
import { dumpNames } from './options.ts'
import type { Records } from './read-dump.ts'
import type { DumpReader, ReadBatch } from './read-in-threads.ts'
import { openDumpReader } from './read-in-threads.ts'
import type { Skipped } from './records.ts'
import type { Staging } from './staging.ts'
import { openStaging } from './staging.ts'
import type { TakeIn } from './take-in.ts'
import { takeInto } from './take-in.ts'

/** So many lines are taken in with one transaction. */
const batchLines = 4_000

/** Where an import works. */
interface ImportPlace {
  /** The index that is replaced. */
  file: string
  learnt: string
  /** What is kept on the way. */
  staged: string
}

/** Told how an import goes on. */
export interface Onlooker {
  /** A step begins: the name of a dump, or "index"; how many units there are, and of what. */
  begins(step: Dump | 'index', total: number, unit: 'bytes' | 'works', done: number): void
  /** @param done units so far @param count lines or works so far */
  goesOn(done: number, count: number): void
  /** Nothing more is told: all is done, or it cannot be. */
  ends(): void
}

/** What an import did. */
export interface ImportReport {
  resumed: boolean
  works: number
  /** Lines of each dump. */
  lines: { dump: Dump; lines: number }[]
  skipped: { dump: string; reason: string; lines: number }[]
}

/**
 * Takes in the monthly dumps of Open Library and makes the index anew. Killed at any point and
 * called again with the same files and options, it goes on where it was, and the index comes out
 * the same.
 *
 * @throws ImportError when a file is missing, cut short or no such dump; what was taken in of it stays,
 *   and so does the index there was
 */
export async function importDumps(
  place: ImportPlace,
  options: ImportOptions,
  starter: Starter,
  onlooker: Onlooker,
): Promise<ImportReport> {
  const taken = await takeInAll(place, options, onlooker)
  const { works } = await rebuild(place, options.subset.leastEditions, starter, onlooker)
  return { ...taken, works }
}

async function takeInAll(
  place: ImportPlace,
  options: ImportOptions,
  onlooker: Onlooker,
): Promise<Omit<ImportReport, 'works'>> {
  const staging = openStaging(place.staged, options)
  try {
    await using reader = openDumpReader(options.subset)
    const takes = takeInto(staging.db)
    const takeIn = async <Name extends Dump>(dump: Name) => {
      const file = options.dumps[dump]
      if (file === undefined) return
      await takeInDump(staging, reader, { dump, file }, takes[dump], onlooker)
      insistOnDump(staging, dump, file)
    }
    for (const dump of dumpNames) await takeIn(dump)
    const lines = dumpNames
      .filter((dump) => options.dumps[dump] !== undefined)
      .map((dump) => ({ dump, lines: staging.progress(dump).lines }))
    return { resumed: staging.resumed, lines, skipped: staging.report() }
  } finally {
    staging.close()
  }
}

/** What may be said of the lines of any file. Those that point elsewhere are in every dump alike. */
const ofAnyFile = new Set<string>([
  'a line of another form',
  'another type of record',
  'no usable key',
  'redirected to another record',
  'deleted',
] satisfies Skipped[])

/** @throws ImportError when the file has no line of its dump: mixed up, or not what was wanted */
function insistOnDump(staging: Staging, dump: Dump, file: string): void {
  const { lines } = staging.progress(dump)
  if (lines === 0) throw new ImportError(`${file} is empty. The index stays as it was.`)
  const others = staging.report().filter((each) => each.dump === dump && ofAnyFile.has(each.reason))
  if (others.reduce((sum, each) => sum + each.lines, 0) < lines) return
  const reasons = others.map((each) => `${each.reason} (${each.lines})`).join(', ')
  throw new ImportError(`${file} is no dump of ${dump}: ${reasons}. The index stays as it was.`)
}

/** Makes the index anew of what the last import took in. */
export async function rebuild(
  { file, learnt, staged }: ImportPlace,
  leastEditions: number,
  starter: Starter,
  onlooker: Onlooker,
): Promise<{ works: number }> {
  const kept = openLearnt(learnt)
  let begun = false
  try {
    return await makeIndex(
      file,
      { staged, leastEditions, starter, learnt: kept },
      (done, total) => {
        if (!begun) onlooker.begins('index', total, 'works', 0)
        begun = true
        onlooker.goesOn(done, done)
      },
    )
  } finally {
    kept.close()
  }
}

async function takeInDump<Name extends Dump>(
  staging: Staging,
  reader: DumpReader,
  { dump, file }: { dump: Name; file: string },
  begin: () => TakeIn<Records[Name]>,
  onlooker: Onlooker,
): Promise<void> {
  const before = staging.progress(dump)
  if (before.done) return
  onlooker.begins(dump, dumpState(file).size, 'bytes', before.bytes)
  const takeIn = begin()
  let { lines } = before
  let waiting: ReadBatch[] = []
  let count = 0
  const commit = ({ bytes, isLast }: ReadBatch) => {
    const skipped = new Map<string, number>()
    const skip = (reason: string, lines: number) =>
      skipped.set(reason, (skipped.get(reason) ?? 0) + lines)
    lines += count
    staging.commit(dump, { lines, bytes, done: isLast }, skipped, () => {
      for (const batch of waiting) {
        for (const [reason, lines] of Object.entries(batch.skipped)) skip(reason, lines)
        // The thread that read the dump wrote it.
        for (const record of JSON.parse(batch.records) as Records[Name][]) takeIn.add(record)
      }
      const unknown = takeIn.finish()
      if (unknown > 0) skip('of no work that was taken', unknown)
    })
    waiting = []
    count = 0
    onlooker.goesOn(bytes, lines)
  }
  for await (const batch of reader.read(dump, file, lines)) {
    waiting.push(batch)
    count += batch.lines
    if (batch.isLast || count >= batchLines) commit(batch)
  }
}

/** Frees the room of what an import kept on its way. */
export function forgetStaged(staged: string): void {
  for (const end of ['', '-wal', '-shm']) if (existsSync(staged + end)) rmSync(staged + end)
}
