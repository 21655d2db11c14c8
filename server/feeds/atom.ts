import { escapeText, escapeUTF8 } from 'entities'
import { Feed } from 'feed'
import { timeOf } from '#records/index.ts'
import type { Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { coverPath } from '#shared/cover.ts'
import { bookImages, type UserBook } from '#shared/user-book.ts'
import type { Translate } from './sentences.ts'

/** Whose feed it is. */
export interface FeedOwner {
  username: string
  name: string
}

interface Place {
  /** The site's address, without a trailing slash. */
  appUrl: string
  /** The path of the feed itself, with its query. */
  path: string
  language: string
  /** The page of the feed, from 1. */
  page: number
  /** Whether there may be a page after it. */
  hasMore: boolean
}

/** An entry of a feed, whatever it is about. */
interface Entry {
  id: string
  title: string
  path: string
  /** As the record API writes it. */
  created: string
  book: { title: string; authors: readonly string[]; cover: string | undefined }
}

/** @returns the Atom feed of what a reader does, newest first */
export function activityFeed(
  owner: FeedOwner,
  activities: readonly Activity[],
  place: Place,
  t: Translate,
): string {
  const { name, username } = owner
  return atom(
    {
      title: t('profileFeed', { name }),
      path: `/u/${encodeURIComponent(username)}`,
      owner,
      entries: activities.map(({ id, book, created, event_type, data }) => ({
        id: `activity/${id}`,
        title:
          event_type === 'progress_updated'
            ? t(data.percent ? 'percent' : 'page', {
                name,
                title: data.title,
                page: data.progress,
                percent: data.percent ?? 0,
              })
            : t(event_type, { name, title: data.title, shelf: data.shelf }),
        path: bookPath(owner, book),
        created,
        book: { title: data.title, authors: data.authors, cover: data.cover },
      })),
    },
    place,
    t,
  )
}

/** @returns the Atom feed of the books that were put on a shelf, newest first */
export function shelfFeed(
  owner: FeedOwner,
  shelf: Bookshelf,
  books: readonly UserBook[],
  place: Place,
  t: Translate,
): string {
  return atom(
    {
      title: t('shelfFeed', { shelf: shelf.name, name: owner.name }),
      path: `/shelf/${shelf.id}`,
      owner,
      entries: books.map((book) => ({
        id: `book/${book.id}`,
        title: book.title,
        path: bookPath(owner, book.id),
        created: book.created,
        book: { ...namedBook(book), cover: coverPath(bookImages(book), namedBook(book)) },
      })),
    },
    place,
    t,
  )
}

/** The path of a reader's own page of a book. */
export const bookPath = ({ username }: FeedOwner, book: string) =>
  `/u/${encodeURIComponent(username)}/books/${book}`

function atom(
  about: { title: string; path: string; owner: FeedOwner; entries: readonly Entry[] },
  place: Place,
  t: Translate,
): string {
  const { appUrl, path, language } = place
  const { title, owner, entries } = about
  const feed = new Feed({
    id: tag(appUrl, about.path.slice(1)),
    title,
    link: appUrl + about.path,
    language,
    generator: 'Octavo',
    // Without entries nothing has ever changed.
    updated: new Date(timeOf(entries[0]?.created ?? '')),
    feedLinks: { atom: appUrl + path },
    author: { name: owner.name, link: `${appUrl}/u/${encodeURIComponent(owner.username)}` },
  })
  for (const { id, title: heading, path: link, created, book } of entries)
    feed.addItem({
      id: tag(appUrl, id),
      // Titles of entries are HTML.
      title: escapeText(heading),
      link: appUrl + link,
      date: new Date(timeOf(created)),
      content: contentOf(book, appUrl, t),
    })
  // The library has no links to other pages, so they go before the feed's own link.
  return feed.atom1().replace(/(?=<link rel="self")/, pageLinks(place))
}

/** @returns the links between the pages of a feed. Source: RFC 5005, section 3. */
function pageLinks({ appUrl, path, page, hasMore }: Place): string {
  const link = (rel: string, to: number) => {
    const url = new URL(appUrl + path)
    if (to > 1) url.searchParams.set('page', String(to))
    else url.searchParams.delete('page')
    return `<link rel="${rel}" href="${escapeUTF8(url.href)}"/>\n    `
  }
  return [
    page > 1 ? link('first', 1) + link('previous', page - 1) : '',
    hasMore ? link('next', page + 1) : '',
  ].join('')
}

/** A name that stays when addresses change. Source: RFC 4151. */
const tag = (appUrl: string, name: string) => `tag:${new URL(appUrl).hostname},2026:${name}`

const namedBook = ({ title, authors }: UserBook) => ({
  title,
  author: authors?.[0],
  authors: authors ?? [],
})

function contentOf({ title, authors, cover }: Entry['book'], appUrl: string, t: Translate): string {
  const by = authors.length ? t('by', { authors: authors.join(', ') }) : ''
  const source = cover && new URL(cover, appUrl).href
  const picture = source ? `<p><img src="${escapeUTF8(source)}" alt="" /></p>` : ''
  return `${picture}<p>${escapeUTF8(title)}<br />${escapeUTF8(by)}</p>`
}
