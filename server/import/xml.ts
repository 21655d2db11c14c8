import sax, { type SAXParser, type Tag } from 'sax'
import { ImportError } from './import-error.ts'

/** What to do with the parts of an XML document; names come without their prefixes. */
interface XmlHandler {
  open: (name: string, attributes: Tag['attributes']) => void
  close: (name: string) => void
  text: (text: string) => void
}

/** Elements within one another, and attributes of each. */
const [depthAtMost, attributesAtMost] = [100, 1000]

// The parser bounds what it holds of a tag by positions, so it has to count them.
const options = { strictEntities: true, position: true }

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Makes a parser of an XML document's pieces. Only XML's own entities are known, so none can grow.
 *
 * @returns the parser; its `write` and `close` throw an ImportError if the document is malformed
 */
export function xmlParser({ open, close, text }: XmlHandler): SAXParser {
  const unreadable = () => {
    throw new ImportError('fileUnreadable')
  }
  let [depth, count] = [0, 0]
  return Object.assign(sax.parser(true, options), {
    onattribute() {
      if (++count > attributesAtMost) unreadable()
    },
    onopentag({ name, attributes }: Tag) {
      count = 0
      if (++depth > depthAtMost) unreadable()
      open(withoutPrefix(name), attributes)
    },
    onclosetag(name: string) {
      depth--
      close(withoutPrefix(name))
    },
    ontext: text,
    oncdata: text,
    onerror: unreadable,
  })
}
