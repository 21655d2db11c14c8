import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseInThread } from './parse.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-parse-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A table of rows of a size, in bytes. */
async function* tableOf(rows: number, size: number): AsyncGenerator<Buffer> {
  yield Buffer.from('Title,Author\n')
  for (let n = 0; n < rows; n++) yield Buffer.from(`${n},${'x '.repeat(size / 2)}\n`)
}

const open = (
  content: AsyncIterable<Buffer>,
  folder: string,
  options: Partial<Parameters<typeof parseInThread>[2]> = {},
) =>
  parseInThread(content, undefined, {
    within: folder,
    signal: new AbortController().signal,
    ...options,
  })

test.each([
  ['This file takes too long to read.', 20_000, 500, { file: 300, row: 1000 }],
  [/^Row \d+ of this file takes too long to read\.$/, 100, 900_000, { file: 60_000, row: 1 }],
])('R56: %s', async (sentence, rows, size, time) => {
  const folder = newFolder()
  await expect(open(tableOf(rows, size), folder, { time })).rejects.toThrow(sentence)
  expect(readdirSync(folder)).toEqual([])
})

test('R57: a file is no longer read once nobody wants it', async () => {
  const folder = newFolder()
  const stop = new AbortController()
  const reading = open(tableOf(90_000, 500), folder, { signal: stop.signal })
  reading.catch(() => undefined)
  await expect.poll(() => readdirSync(folder)).toHaveLength(1)
  stop.abort()
  await expect(reading).rejects.toThrow('aborted')
  expect(readdirSync(folder)).toEqual([])
})
