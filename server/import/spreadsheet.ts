import type { Readable } from 'node:stream'
import type { Entry } from 'yauzl'
import { columnsAtMost } from './detect-format.ts'
import { ImportError } from './import-error.ts'
import { xmlParser } from './xml.ts'

/** Characters of all of a spreadsheet's texts, which stay in memory. */
const textsAtMost = 64_000_000

const isSheet = ({ fileName }: Entry) => /^xl\/worksheets\/[^/]+\.xml$/.test(fileName)

/** @returns whether an archive is a spreadsheet of Excel's, which other programs write, too */
export const isSpreadsheet = (entries: readonly Entry[]): boolean =>
  entries.some(({ fileName }) => fileName === 'xl/workbook.xml') && entries.some(isSheet)

/**
 * Reads the one sheet that has cells as the lines of a table with commas. A date is the number that
 * the spreadsheet has for it.
 *
 * @param open unpacks an entry
 * @throws ImportError if several sheets have cells
 */
export async function* sheetLines(
  entries: readonly Entry[],
  open: (entry: Entry) => Promise<Readable>,
): AsyncGenerator<string> {
  const textOf = async function* (entry: Entry | undefined): AsyncGenerator<string> {
    if (entry) yield* (await open(entry)).setEncoding('utf8') as AsyncIterable<string>
  }
  const named = (name: string) => entries.find(({ fileName }) => fileName === name)
  for await (const text of textOf(named('xl/workbook.xml')))
    // Days are counted from another one.
    if (/\bdate1904\s*=\s*["'](?:1|true)/.test(text)) throw new ImportError('fileIsSpreadsheet')
  const texts = await sharedTexts(textOf(named('xl/sharedStrings.xml')))
  const filled: Entry[] = []
  for (const sheet of entries.filter(isSheet))
    for await (const _ of rowsOf(textOf(sheet), texts)) {
      filled.push(sheet)
      break
    }
  if (filled.length > 1) throw new ImportError('sheetsMany', { count: filled.length })
  for (const sheet of filled)
    for await (const row of rowsOf(textOf(sheet), texts))
      yield `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
}

/** Reads the texts that cells refer to by their number. */
async function sharedTexts(xml: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = []
  let [length, text, isText, isReading] = [0, '', false, false]
  const parser = xmlParser({
    open(name) {
      if (name === 'si') text = ''
      // How a Japanese word is read aloud stands beside it.
      if (name === 'rPh') isReading = true
      if (name === 't') isText = !isReading
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isReading = false
      if (name !== 'si') return
      texts.push(text)
      length += text.length
      if (length > textsAtMost) throw new ImportError('fileTooMuchMemory')
    },
    text(part) {
      if (isText) text += part
    },
  })
  for await (const chunk of xml) parser.write(chunk)
  parser.close()
  return texts
}

async function* rowsOf(
  xml: AsyncIterable<string>,
  texts: readonly string[],
): AsyncGenerator<string[]> {
  let rows: string[][] = []
  let [row, column, type, text]: [string[], number, string, string] = [[], 0, '', '']
  let isValue = false
  const parser = xmlParser({
    open(name, attributes) {
      if (name === 'row') row = []
      if (name === 'c') {
        column = columnOf(attributes['r']) ?? row.length
        type = attributes['t'] ?? ''
        text = ''
      }
      if (name === 'v' || name === 't') isValue = true
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name === 'c') {
        while (row.length < column) row.push('')
        row[column] = valueOf(type, text, texts)
      }
      if (name === 'row' && row.some(Boolean)) rows.push(row)
    },
    text(part) {
      if (isValue) text += part
    },
  })
  for await (const chunk of xml) {
    parser.write(chunk)
    yield* rows
    rows = []
  }
  parser.close()
}

/** @returns the column of a cell such as B2, counted from 0; undefined if it has no address */
function columnOf(address = ''): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(address)?.[0]
  if (!letters) return undefined
  const number = [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0)
  return Math.min(number - 1, columnsAtMost)
}

function valueOf(type: string, text: string, texts: readonly string[]): string {
  if (type === 's') return texts[Number(text)] ?? ''
  if (type === 'b') return text === '1' ? 'true' : 'false'
  if (type === 'e') return ''
  const number = type === 'str' || type === 'inlineStr' || !text ? Number.NaN : Number(text)
  // It has fifteen digits: 4.4000000000000004 is 4.4, and 9.780141439587E12 an ISBN.
  return Number.isFinite(number) ? String(number) : text
}
