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
      const end = start < 0 ? -1 : text.indexOf('>', start)
      if (end < 0) break
      if (start > at) this.#handler.text(decodeXML(text.slice(at, start)))
      this.#tag(text.slice(start + 1, end))
      at = end + 1
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

/** @returns an attribute's value; '' for none */
export function attributeOf(tag: string, name: string): string {
  for (const [, one, double, single] of tag.matchAll(/\s([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (one === name) return decodeXML(double ?? single ?? '')
  return ''
}
