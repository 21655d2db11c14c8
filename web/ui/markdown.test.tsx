import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />)
const bare = (text: string) => html(text).replaceAll(/ (?:class|dir|rel|target)="[^"]*"/g, '')

test('paragraphs, emphasis, lists and quotations', () => {
  expect(bare('A *fine* **book**\nindeed\n\nNext')).toBe(
    '<p>A <em>fine</em> <strong>book</strong><br/>indeed</p><p>Next</p>',
  )
  expect(bare('- one\n- two\n\n3. three')).toBe(
    '<ul><li>one</li><li>two</li></ul><ol start="3"><li>three</li></ol>',
  )
  expect(bare('> said\n> she')).toBe('<blockquote><p>said<br/>she</p></blockquote>')
  expect(bare('```\na *b*\n```\nc')).toBe('<pre><code>a *b*</code></pre><p>c</p>')
  expect(bare('snake_case_name and \\*stars\\*')).toBe('<p>snake_case_name and *stars*</p>')
})

test('links lead only to pages and mail', () => {
  expect(bare('[a](https://example.org/x)')).toBe('<p><a href="https://example.org/x">a</a></p>')
  expect(bare('See https://example.org/x.')).toBe(
    '<p>See <a href="https://example.org/x">https://example.org/x</a>.</p>',
  )
  for (const address of ['javascript:alert`1`', 'data:text/html,x', '//evil.example', '/account'])
    expect(html(`[a](${address})`)).not.toContain('<a ')
  expect(html('[a](https://example.org)')).toContain('rel="nofollow noopener noreferrer ugc"')
})

test('spoilers are folded, each line by itself, and a mark without another is text', () => {
  const folded =
    '<button aria-expanded="false" type="button" disabled="" data-waiting="true">Spoiler</button>'
  expect(bare('He knows. ||She is *the* thief.|| The end.')).toBe(
    `<p>He knows. ${folded} The end.</p>`,
  )
  expect(bare('||One.\n\n- Two.||')).toBe(`<p>${folded}</p><p>${folded}</p>`)
  expect(bare('a || b')).toBe('<p>a || b</p>')
  expect(html('||thief||')).not.toContain('thief')
})

test('tags are shown as typed', () => {
  expect(html('<script>alert(1)</script> <img src=x onerror=y>')).toBe(
    '<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=y&gt;</p>',
  )
})

test('no text takes long', () => {
  for (const piece of ['*', '_', '[', '](', '`', '> ', '**a', '- ', 'https://', '\n>', '||a'])
    expect(html(piece.repeat(20_000 / piece.length)).length).toBeGreaterThan(0)
})
