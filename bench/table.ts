import { cpus } from 'node:os'

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** @param p which one, from 0 to 1 */
export function percentile(values: ArrayLike<number>, p: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN
}

/** What figures were measured on. */
export function machine(): string {
  return `${cpus()[0]?.model.trim() ?? 'Unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`
}

export function whole(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(0)
}

/** A Markdown table with its columns aligned; the first row is the head. */
export function table(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
