import { isUtf8 } from 'node:buffer'

/**
 * A file's type, detected from its content. The extension includes its dot; '' if the type has no
 * usual one.
 */
interface ContentType {
  mime: string
  extension: string
}

const svg = { mime: 'image/svg+xml', extension: '.svg' }
const text = { mime: 'text/plain; charset=utf-8', extension: '.txt' }
const unknown = { mime: 'application/octet-stream', extension: '' }

/**
 * Types that only the name tells: kinds of text, and office formats that may pass for plain
 * archives.
 */
const byExtension: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/** Types a browser may display; anything else is downloaded. */
const inline = new Set(
  `image/png image/jpg image/jpeg image/gif image/webp image/x-icon image/bmp
  video/webm video/mp4 video/3gpp video/quicktime video/x-ms-wmv
  audio/basic audio/aiff audio/mpeg audio/midi audio/mp3 audio/wave audio/wav audio/x-wav
  audio/x-mpeg audio/x-m4a audio/aac application/pdf application/x-pdf`.split(/\s+/),
)

/** Bytes read to detect the type. The first element of an SVG is always within them. */
const prefixBytes = 65_536

/**
 * Detects a file's type in linear time, most of it in native code.
 *
 * Never throws for content it doesn't know, which is application/octet-stream. All text is
 * text/plain, whatever its name says.
 */
export async function detectContentType(content: Uint8Array | Blob): Promise<ContentType> {
  const prefix =
    content instanceof Blob
      ? new Uint8Array(await content.slice(0, prefixBytes).arrayBuffer())
      : content.subarray(0, prefixBytes)
  // Loaded on first use to save memory.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(prefix).catch(() => undefined)
  if (found && found.mime !== 'application/xml')
    return { mime: found.mime, extension: `.${found.ext}` }
  if (!(await isText(content))) return unknown
  return isSvg(new TextDecoder().decode(prefix)) ? svg : text
}

async function isText(content: Uint8Array | Blob): Promise<boolean> {
  if (content instanceof Uint8Array) return !content.includes(0) && isUtf8(content)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of content.stream()) {
      if (chunk.includes(0)) return false
      decoder.decode(chunk, { stream: true })
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** @returns the Content-Type to serve a stored file with */
export function servedType(name: string, mime: string): string {
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase()
  return byExtension[extension] ?? mime
}

/** @returns whether a browser may display the type directly */
export function isInline(type: string): boolean {
  return inline.has(type)
}

/**
 * Whether the first element is `svg`; only declarations, comments and white space may precede it.
 */
function isSvg(content: string): boolean {
  let at = 0
  for (;;) {
    at = endOf(/\s*/y, content, at)
    if (!content.startsWith('<?', at) && !content.startsWith('<!', at))
      return endOf(/<svg[\s>/]/y, content, at) >= 0
    at = closing(content, at)
    if (at < 0) return false
  }
}

/**
 * @returns the end of the declaration or comment at `start`, including a DOCTYPE's internal subset
 */
function closing(content: string, start: number): number {
  if (content.startsWith('<?', start)) return endOf(/\?>/g, content, start)
  if (content.startsWith('<!--', start)) return endOf(/-->/g, content, start)
  const mark = endOf(/[[>]/g, content, start)
  return content[mark - 1] === '[' ? endOf(/\]\s*>/g, content, mark) : mark
}

/** @returns the end of the next match from `start` on; -1 if there is none */
function endOf(pattern: RegExp, content: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(content) ? pattern.lastIndex : -1
}
