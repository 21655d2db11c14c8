import { decodeHTML } from 'entities'

/** Elements without readable text. */
const dropped = [
  'head',
  'script',
  'style',
  'svg',
  'picture',
  'iframe',
  'video',
  'audio',
  'canvas',
  'object',
  'applet',
  'template',
  'noscript',
  'dialog',
  'form',
  'button',
  'select',
  'textarea',
].join('|')

/** Inline elements: `un<b>seen</b>` is one word. */
const inline = new Set(
  'a abbr b bdi bdo big cite code em font i kbd mark q s small span strike strong sub sup time u wbr'.split(
    ' ',
  ),
)

/**
 * Returns the beginning of an HTML text as plain text, with white space collapsed.
 *
 * @param max characters
 * @param ellipsis whether to add `...` if the text was cut
 */
export function excerpt(html: string, max: number, ellipsis: boolean): string {
  const plain = decodeHTML(stripped(html)).replace(/\s+/g, ' ').trim()
  const characters = Array.from(plain)
  if (characters.length <= max) return plain
  return characters.slice(0, max).join('').trim() + (ellipsis ? '...' : '')
}

function stripped(html: string): string {
  let text = ''
  let at = 0
  const lower = html.toLowerCase()
  const opening = new RegExp(`^<(${dropped})\\b`, 'i')
  while (at < html.length) {
    const tag = html.indexOf('<', at)
    if (tag < 0) return text + html.slice(at)
    text += html.slice(at, tag)
    // "a < b" is text.
    if (!/[a-z/!?]/i.test(html[tag + 1] ?? '')) {
      text += '<'
      at = tag + 1
      continue
    }
    const name = opening.exec(html.slice(tag, tag + 16))?.[1]
    at = after(html, '>', name ? endTag(lower, name, tag) : tag)
    const [, element = ''] = /^<\/?([a-z\d]+)/.exec(lower.slice(tag, tag + 16)) ?? []
    if (!inline.has(element)) text += ' '
  }
  return text
}

function endTag(lower: string, name: string, from: number): number {
  const end = lower.indexOf(`</${name.toLowerCase()}`, from)
  return end < 0 ? lower.length : end
}

function after(html: string, char: string, from: number): number {
  const end = html.indexOf(char, from)
  return end < 0 ? html.length : end + 1
}
