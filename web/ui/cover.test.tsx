import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Cover } from './cover.tsx'

test('a book without a picture has a drawn cover with its title and a name of its own', () => {
  const html = renderToStaticMarkup(<Cover title="Emma" author="Jane Austen" src={null} />)
  expect(html).toContain('role="img"')
  expect(html).toContain('aria-label="Cover of Emma by Jane Austen"')
  expect(html).not.toContain('<img')
})

test('a picture keeps its place, loads late, and early only when asked', () => {
  const late = renderToStaticMarkup(<Cover title="Emma" src="/emma.jpg" />)
  expect(late).toContain('alt="Cover of Emma"')
  expect(late).toContain('loading="lazy"')
  expect(late).toMatch(/width="200" height="300"/)
  const early = renderToStaticMarkup(<Cover title="Emma" src="/emma.jpg" priority />)
  expect(early).toContain('loading="eager"')
  expect(early).toContain('fetchPriority="high"')
})

test('beside its title a cover stays silent', () => {
  expect(renderToStaticMarkup(<Cover title="Emma" alt="" />)).not.toContain('role="img"')
  expect(renderToStaticMarkup(<Cover title="Emma" src="/emma.jpg" alt="" />)).toContain('alt=""')
})

test('a title cannot smuggle in markup', () => {
  const html = renderToStaticMarkup(<Cover title={'<script>alert("1")</script>'} />)
  expect(html).not.toContain('<script>')
})
