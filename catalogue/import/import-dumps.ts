import { existsSync, rmSync } from 'node:fs'
import type { Starter } from '#catalogue/index/build.ts'
import { openLearnt } from '#catalogue/index/learnt.ts'
import { dumpState } from './dump-lines.ts'
import { makeIndex } from './make-index.ts'
import type { Dump, ImportOptions } from './options.ts'
import { dumpNames } from './options.ts'
import type { Records } from './read-dump.ts'
import type { DumpReader, ReadBatch } from './read-in-threads.ts'
import { openDumpReader } from './read-in-threads.ts'
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
 * @throws ImportError when a file is missing or cut short; what was taken in of it stays
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
      if (file !== undefined)
        await takeInDump(staging, reader, { dump, file }, takes[dump], onlooker)
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
        for (const record of JSON.parse(batch.records) as Records[Name][]) {
          const reason = takeIn(record)
          if (reason !== null) skip(reason, 1)
        }
      }
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
