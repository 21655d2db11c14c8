import { existsSync, rmSync } from 'node:fs'
import type { Starter } from '#catalogue/index/build.ts'
import { openLearnt } from '#catalogue/index/learnt.ts'
import { dumpLines, dumpState } from './dump-lines.ts'
import { makeIndex } from './make-index.ts'
import type { Dump, ImportOptions } from './options.ts'
import { dumpNames } from './options.ts'
import type { Staging } from './staging.ts'
import { openStaging } from './staging.ts'
import type { TakeIn } from './take-in.ts'
import { takeInto } from './take-in.ts'

/** So many lines are taken in with one transaction. */
const batchLines = 20_000

/** Where an import works. */
export interface ImportPlace {
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
    const takes = takeInto(staging.db, options.subset)
    for (const dump of dumpNames) {
      const file = options.dumps[dump]
      if (file !== undefined) await takeInDump(staging, dump, file, takes[dump], onlooker)
    }
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

async function takeInDump(
  staging: Staging,
  dump: Dump,
  file: string,
  begin: () => TakeIn,
  onlooker: Onlooker,
): Promise<void> {
  const before = staging.progress(dump)
  if (before.done) return
  onlooker.begins(dump, dumpState(file).size, 'bytes', before.bytes)
  const takeIn = begin()
  let batch: string[] = []
  let { lines, bytes } = before
  const commit = (done: boolean) => {
    const skipped = new Map<string, number>()
    lines += batch.length
    staging.commit(dump, { lines, bytes, done }, skipped, () => {
      for (const line of batch) {
        const reason = takeIn(line)
        if (reason !== null) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
      }
    })
    batch = []
    onlooker.goesOn(bytes, lines)
  }
  for await (const chunk of dumpLines(file, lines)) {
    batch = batch.length === 0 ? chunk.lines : batch.concat(chunk.lines)
    bytes = chunk.bytes
    if (batch.length >= batchLines) commit(false)
  }
  commit(true)
}

/** Frees the room of what an import kept on its way. */
export function forgetStaged(staged: string): void {
  for (const end of ['', '-wal', '-shm']) if (existsSync(staged + end)) rmSync(staged + end)
}
