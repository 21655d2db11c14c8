import { decodeXML } from 'entities'
import { ImportError } from './import-error.ts'

/** What to do with the parts of an XML document; names come without their prefixes. */
interface XmlHandler {
  /** @param tag all that stands in the tag, for {@link attributeOf} */
  open(name: string, tag: string): void
  close(name: string): void
  text(text: string): void
}

/** Characters of a text or a tag. */
const partAtMost = 1_000_000

/** Reads an XML document piece by piece. Only XML's own entities are known, so none can grow. */
export class XmlReader {
  readonly #handler: XmlHandler
  #rest = ''

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  /** @throws ImportError for a part that is too long */
  push(chunk: string): void {
    const text = this.#rest + chunk
    let at = 0
    for (;;) {
      const start = text.indexOf('<', at)
      const end = start < 0 ? null : markupEnd(text, start)
      if (end === null) break
      if (start > at) this.#handler.text(decodeXML(text.slice(at, start)))
      const markup = text.slice(start, end)
      if (markup.startsWith(cdata)) this.#handler.text(markup.slice(cdata.length, -cdataEnd.length))
      else this.#tag(markup.slice(1, -1))
      at = end
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > partAtMost) throw new ImportError('fileUnreadable')
  }

  #tag(tag: string): void {
    if (/^[!?]/.test(tag)) return
    const [, slash, name = ''] = /^(\/?)(?:[^\s/:]*:)?([^\s/]*)/.exec(tag) ?? []
    if (!slash) this.#handler.open(name, tag)
    if (slash || tag.endsWith('/')) this.#handler.close(name)
  }
}

const cdata = '<![CDATA['
const cdataEnd = ']]>'
/** A tag, whose attributes may contain ">". */
const wholeTag = /<(?:[^>"']|"[^"]*"|'[^']*')*>/y

/** @returns where the markup that starts at a "<" ends; null if its end is still to come */
function markupEnd(text: string, start: number): number | null {
  const after = (end: string) => {
    const at = text.indexOf(end, start)
    return at < 0 ? null : at + end.length
  }
  // Too little to tell which of them it is.
  if (text.length - start < cdata.length && !text.includes('>', start)) return null
  if (text.startsWith(cdata, start)) return after(cdataEnd)
  if (text.startsWith('<!--', start)) return after('-->')
  if (text.startsWith('<?', start)) return after('?>')
  wholeTag.lastIndex = start
  return wholeTag.test(text) ? wholeTag.lastIndex : null
}

/** @returns an attribute's value; '' for none */
export function attributeOf(tag: string, name: string): string {
  for (const [, one, double, single] of tag.matchAll(/\s([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (one === name) return decodeXML(double ?? single ?? '')
  return ''
}
