import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A line of a dump. */
export const line = (type: string, key: string, json: object) =>
  `/type/${type}\t${key}\t1\t2026-01-01T00:00:00\t${JSON.stringify({ key, ...json })}`
export const author = (n: number, name: string, json: object = {}) =>
  line('author', `/authors/OL${n}A`, { name, ...json })
export const work = (n: number, title: string, json: object = {}) =>
  line('work', `/works/OL${n}W`, { title, ...json })
export const edition = (n: number, of: number | null, title: string, json: object = {}) =>
  line('edition', `/books/OL${n}M`, {
    title,
    ...(of === null ? {} : { works: [{ key: `/works/OL${of}W` }] }),
    languages: [{ key: '/languages/eng' }],
    ...json,
  })
export const authorRole = (n: number) => ({
  authors: [{ type: { key: '/type/author_role' }, author: { key: `/authors/OL${n}A` } }],
})

/** @returns the arguments of an import of these lines, by dump */
export function writeDumps(into: string, lines: Record<string, string[]>): string[] {
  mkdirSync(into, { recursive: true })
  return Object.entries(lines).flatMap(([name, all]) => {
    const file = join(into, `${name}.txt.gz`)
    writeFileSync(file, gzipSync(`${all.join('\n')}\n`))
    return [`--${name}`, file]
  })
}
