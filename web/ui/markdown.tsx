import { Fragment, useState, type ReactNode } from 'react'
import { spoilerMark, spoilerPassages } from '#shared/spoilers.ts'
import { t } from '#web/i18n/shell.ts'
import { ScriptButton } from './script-button.tsx'

/** Longer runs of nested marks are shown as typed. */
const deepest = 8

/**
 * Text with the marks that readers use: paragraphs, headings, lists, quotations, code, emphasis and
 * links, and passages between `||` that are folded. It becomes React's elements, never HTML: tags in the text are shown as typed, and links
 * lead only to `http`, `https` and `mailto`.
 */
export function Markdown({ text }: { text: string }) {
  return <>{blocks(markLines(text.replaceAll('\r\n', '\n')).split('\n'))}</>
}

/** Marks each line of a spoiler by itself, as lines are blocks of their own. */
function markLines(text: string): string {
  const marked = (line: string) => (line.trim() ? `${spoilerMark}${line}${spoilerMark}` : line)
  const passages = spoilerPassages(text).map((passage, at) =>
    at % 2 ? passage.split('\n').map(marked).join('\n') : passage,
  )
  return passages.join('')
}

/** A passage that tells the story, folded until it is asked for. */
function Spoiler({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ScriptButton
        aria-expanded={isOpen}
        className="rounded-md bg-sunken px-2 text-sm text-ink-soft underline underline-offset-4"
        onClick={() => setOpen(!isOpen)}
      >
        {t('spoiler')}
      </ScriptButton>
      {isOpen ? <> {children}</> : null}
    </>
  )
}

const fence = /^\s*```/
const heading = /^(#{1,6})\s+(\S.*)$/
const quotation = /^\s*>\s?/
const item = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s+(?=\S)/
const rule = /^\s*(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/

/** @returns the first line and those after it, up to the first that doesn't fit */
function run(lines: readonly string[], from: number, fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, place) => place > from && !fits(line))
  return lines.slice(from, end === -1 ? lines.length : end)
}

const isPlain = (line: string) =>
  line.trim() !== '' && ![fence, heading, quotation, item, rule].some((one) => one.test(line))

function blocks(lines: readonly string[], depth = 0): ReactNode[] {
  const shown: ReactNode[] = []
  for (let at = 0; at < lines.length;) {
    const { taken, node } = block(lines, at, depth)
    if (node) shown.push(<Fragment key={at}>{node}</Fragment>)
    at += taken
  }
  return shown
}

interface Block {
  taken: number
  node: ReactNode
}

function block(lines: readonly string[], at: number, depth: number): Block {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { taken: 1, node: null }
  if (fence.test(line)) {
    const code = run(lines, at, (one) => !fence.test(one))
    return {
      taken: code.length + 1,
      node: (
        <pre className="overflow-x-auto rounded-md bg-sunken p-3 text-sm">
          <code>{code.slice(1).join('\n')}</code>
        </pre>
      ),
    }
  }
  if (rule.test(line)) return { taken: 1, node: <hr className="border-line" /> }
  const title = heading.exec(line)?.[2]
  // Headings in a text would break the page's outline.
  if (title) return { taken: 1, node: <p className="font-serif text-lg">{spans(title)}</p> }
  if (quotation.test(line) && depth < deepest) {
    const quoted = run(lines, at, (one) => quotation.test(one))
    return {
      taken: quoted.length,
      node: (
        <blockquote className="grid gap-2 border-s-2 border-line-strong ps-4 text-ink-soft">
          {blocks(
            quoted.map((one) => one.replace(quotation, '')),
            depth + 1,
          )}
        </blockquote>
      ),
    }
  }
  if (item.test(line)) return list(lines, at)
  const paragraph = run(lines, at, isPlain)
  return { taken: paragraph.length, node: <p dir="auto">{broken(paragraph)}</p> }
}

function list(lines: readonly string[], at: number): Block {
  const number = item.exec(lines[at] ?? '')?.[1]
  const items = run(lines, at, (one) => {
    const found = item.exec(one)
    return found !== null && (found[1] === undefined) === (number === undefined)
  })
  const rows = items.map((one, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines have nothing else
    <li key={place} dir="auto">
      {spans(one.replace(item, ''))}
    </li>
  ))
  const look = 'grid gap-1 ps-6'
  return {
    taken: items.length,
    node: number ? (
      <ol start={Number(number)} className={`list-decimal ${look}`}>
        {rows}
      </ol>
    ) : (
      <ul className={`list-disc ${look}`}>{rows}</ul>
    ),
  }
}

/** Each line stays a line, as it was typed. */
function broken(lines: readonly string[]): ReactNode[] {
  return lines.map((line, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines have nothing else
    <Fragment key={place}>
      {place > 0 ? <br /> : null}
      {spans(line)}
    </Fragment>
  ))
}

/** Each alternative is bounded, so that no text takes longer than its length. */
const mark =
  /\\([!-/:-@[-`{-~])|`([^`\n]{1,500})`|\*\*([^*\n]{1,2000})\*\*|__([^_\n]{1,2000})__|\*([^*\s][^*\n]{0,2000})\*|(?<!\w)_([^_\s][^_\n]{0,2000})_(?!\w)|\[([^\][\n]{1,500})\]\(([^()\s]{1,2000})\)|(https?:\/\/[^\s<>()[\]"]{1,2000}[^\s<>()[\]".,;:!?'])/g

/** The marks within a line, with its spoilers folded. */
function spans(text: string): ReactNode[] {
  return spoilerPassages(text).map((passage, at) => {
    const shown = marks(passage)
    // oxlint-disable-next-line react/no-array-index-key -- passages have nothing else
    return <Fragment key={at}>{at % 2 ? <Spoiler>{shown}</Spoiler> : shown}</Fragment>
  })
}

function marks(text: string, depth = 0): ReactNode[] {
  if (depth > deepest) return [text]
  const shown: ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(mark)) {
    if (found.index > end) shown.push(text.slice(end, found.index))
    shown.push(<Fragment key={found.index}>{span(found, depth + 1)}</Fragment>)
    end = found.index + found[0].length
  }
  if (end < text.length) shown.push(text.slice(end))
  return shown
}

function span(found: RegExpExecArray, depth: number): ReactNode {
  const [whole, escaped, code, strong, strong2, soft, soft2, label, target, bare] = found
  if (escaped) return escaped
  if (code) return <code className="rounded-cover bg-sunken px-1 text-[0.9em]">{code}</code>
  const heavy = strong ?? strong2
  if (heavy) return <strong>{marks(heavy, depth)}</strong>
  const light = soft ?? soft2
  if (light) return <em>{marks(light, depth)}</em>
  const address = target ?? bare
  if (!address || !isSafe(address)) return whole
  return (
    <a
      href={address}
      rel="nofollow noopener noreferrer ugc"
      target="_blank"
      className="text-rubric underline underline-offset-4 wrap-anywhere"
    >
      {label ? marks(label, deepest + 1) : address}
    </a>
  )
}

function isSafe(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address)
}
