import { fileTypeFromBuffer } from 'file-type'

/** What a file is by its content. The extension has its dot; '' where none is usual. */
export interface ContentType {
  mime: string
  extension: string
}

const svg = { mime: 'image/svg+xml', extension: '.svg' }
const text = { mime: 'text/plain; charset=utf-8', extension: '.txt' }
const unknown = { mime: 'application/octet-stream', extension: '' }

/** Text that is known by its name alone, and what an archive only looks like from the inside. */
const byExtension: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/** What a browser may show itself; anything else it saves. */
const inline = new Set(
  `image/png image/jpg image/jpeg image/gif image/webp image/x-icon image/bmp
  video/webm video/mp4 video/3gpp video/quicktime video/x-ms-wmv
  audio/basic audio/aiff audio/mpeg audio/midi audio/mp3 audio/wave audio/wav audio/x-wav
  audio/x-mpeg audio/x-m4a audio/aac application/pdf application/x-pdf`.split(/\s+/),
)

/** Never throws: what cannot be recognised is bytes. Text is plain text, whatever it claims to be. */
export async function sniff(bytes: Uint8Array): Promise<ContentType> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (found && found.mime !== 'application/xml')
    return { mime: found.mime, extension: `.${found.ext}` }
  const content = decodeText(bytes)
  if (content === null) return unknown
  return isSvg(content) ? svg : text
}

/** @returns the Content-Type to serve a stored file with */
export function servedType(name: string, mime: string): string {
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase()
  return byExtension[extension] ?? mime
}

/** @returns whether a browser may show the type in a page of its own */
export function isInline(type: string): boolean {
  return inline.has(type)
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return content.includes('\0') ? null : content
  } catch {
    return null
  }
}

/** Whether the first element is `svg`; only declarations, comments and space may come before. */
function isSvg(content: string): boolean {
  let rest = content.trimStart()
  for (;;) {
    const end = ['<?', '<!--', '<!'].find((start) => rest.startsWith(start))
    if (!end) return /^<svg[\s>/]/.test(rest)
    const close = closing(rest, end)
    if (close < 0) return false
    rest = rest.slice(close).trimStart()
  }
}

/** @returns where a declaration or comment ends, a DOCTYPE with its own declarations included */
function closing(rest: string, start: string): number {
  const find = (mark: string) => {
    const at = rest.indexOf(mark)
    return at < 0 ? -1 : at + mark.length
  }
  if (start === '<?') return find('?>')
  if (start === '<!--') return find('-->')
  const own = rest.indexOf('[')
  const end = find('>')
  if (own < 0 || own > end) return end
  const inside = /\]\s*>/.exec(rest.slice(own))
  return inside ? own + inside.index + inside[0].length : -1
}
