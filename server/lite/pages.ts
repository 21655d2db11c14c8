import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { messagesIn } from '#server/runtime/messages.ts'
import type { Book } from '#shared/book.ts'
import { directionOf, type Language } from '#shared/language.ts'
import type { OwnBook } from '#shared/suggestion.ts'
import { cutText } from '#shared/text.ts'
import type { UserBook } from '#shared/user-book.ts'
import type messages from './messages/en.json'

export type LiteKey = keyof typeof messages
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

export const liteMessage = messagesIn<LiteKey>(new URL('./messages/', import.meta.url))

/** The message of a page, in its language. */
export type Translate = (key: LiteKey, values?: Record<string, string | number>) => string

/** What every page has. */
export interface PageOptions {
  language: Language
  isSignedIn: boolean
  /** Said at the top, such as that something was saved. */
  note?: LiteKey | undefined
}

/** Blocks and lines only: the browsers of e-readers know neither flexbox nor grid. */
const style = raw(`
body { margin: 0 auto; max-width: 40em; padding: 0 .8em 2em; background: #fff; color: #000;
  font: 1.1em/1.4 Georgia, serif; overflow-wrap: break-word; }
a { color: #000; }
h1 { font-size: 1.5em; margin: .6em 0; } h2 { font-size: 1.15em; margin: .2em 0; }
nav a, nav button { margin: 0 1em 0 0; padding: .7em 0; display: inline-block; }
nav form { display: inline; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid #999; padding: .8em 0; }
p { margin: .2em 0; }
label { display: block; margin: .6em 0 .2em; }
input, select, button { font: inherit; color: #000; background: #fff; border: 1px solid #000;
  border-radius: 3px; padding: .5em .6em; min-height: 44px; margin: .2em .4em .2em 0;
  box-sizing: border-box; max-width: 100%; }
nav button { border: 0; padding: .7em 0; text-decoration: underline; }
.page { width: 6em; } .wide { width: 100%; } .note { border: 2px solid #000; padding: .5em; }
`)

/** A whole page. */
export function page({ language, isSignedIn, note }: PageOptions, title: string, body: Html): Html {
  const t: Translate = (key, values) => liteMessage(language, key, values)
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} | Octavo</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <nav>
          ${
            isSignedIn
              ? html`<a href="/lite">${t('readingNow')}</a>
                  <a href="/lite/want">${t('wantToRead')}</a>
                  <a href="/lite/search">${t('search')}</a>
                  <form method="post" action="/lite/sign-out">
                    <button>${t('signOut')}</button>
                  </form>`
              : ''
          }
          <a href="/">${t('fullSite')}</a>
        </nav>
        <main>
          <h1>${title}</h1>
          ${note ? html`<p class="note">${t(note)}</p>` : ''} ${body}
        </main>
      </body>
    </html> `
}

export function signInForm(t: Translate): Html {
  return html`<form method="post" action="/lite/sign-in">
      <label for="identity">${t('email')}</label>
      <input
        class="wide"
        id="identity"
        name="identity"
        type="email"
        autocomplete="username"
        required
      />
      <label for="password">${t('password')}</label>
      <input
        class="wide"
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
      <p><button>${t('signIn')}</button></p>
    </form>
    <p>${t('noAccount')}</p>`
}

/** Where readers have no passwords: providers and passkeys need the full site. */
export function signInElsewhere(t: Translate): Html {
  return html`<p>${t('signInElsewhere')}</p>
    <p><a href="/login">${t('fullSite')}</a></p>`
}

/** @param step the half-done sign-in that the code completes */
export function codeForm(t: Translate, step: { otpId: string; mfaId: string }): Html {
  return html`<p>${t('codeSent')}</p>
    <form method="post" action="/lite/code">
      <input type="hidden" name="otpId" value="${step.otpId}" />
      <input type="hidden" name="mfaId" value="${step.mfaId}" />
      <label for="code">${t('code')}</label>
      <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required />
      <p><button>${t('continue')}</button></p>
    </form>`
}

/** Some books of a list. */
export interface BookPage {
  books: readonly UserBook[]
  /** The number of the next page; 0 if this is the last. */
  next: number
}

const moreLink = (t: Translate, path: string, next: number): Html | string =>
  next ? html`<p><a href="${path}?page=${next}">${t('more')}</a></p>` : ''

/** What a reader has typed that can't be saved, and for which book. */
export interface Refused {
  book: string
  typed: string
}

export function readingList(t: Translate, { books, next }: BookPage, refused?: Refused): Html {
  if (!books.length) return html`<p>${t('nothingReading')}</p>`
  return html`<ul>
      ${books.map((book) => readingRow(t, book, refused))}
    </ul>
    ${moreLink(t, '/lite', next)}`
}

function readingRow(t: Translate, book: UserBook, refused?: Refused): Html {
  const byPages = book.page_count > 0 || !book.progress_percent
  const label = byPages ? t('page') : t('percent')
  const isRefused = refused?.book === book.id
  const saved = byPages ? book.progress : book.progress_percent
  const value = isRefused ? refused.typed : saved
  const field = `at-${book.id}`
  return html`<li>
    ${named(t, book)}
    <form method="post" action="/lite/save">
      <input type="hidden" name="book" value="${book.id}" />
      <label for="${field}"
        >${label} ${book.page_count > 0 ? t('ofPages', { pages: book.page_count }) : ''}</label
      >
      <input
        class="page"
        id="${field}"
        name="${byPages ? 'progress' : 'progress_percent'}"
        inputmode="${byPages ? 'numeric' : 'decimal'}"
        value="${value}"
        ${isRefused ? raw('aria-invalid="true"') : ''}
        required
      />
      <button>${t('save')}</button>
      <a href="/lite/finish?book=${book.id}">${t('finish')}</a>
    </form>
  </li>`
}

/** Characters of a name that fit on a page of several books. */
const [maxTitle, maxAuthors] = [100, 60]

function named(t: Translate, { title, authors }: Pick<UserBook, 'title' | 'authors'>): Html {
  const by = cutText(authors.join(', '), maxAuthors)
  return html`<h2 dir="auto">${cutText(title, maxTitle)}</h2>
    ${by ? html`<p dir="auto">${t('by', { authors: by })}</p>` : ''}`
}

/** The ratings that are offered, as they are stored; a book's own finer one stands between them. */
const ratings = Array.from({ length: 10 }, (_, half) => 10 - half)

/** @param scale the scale of the reader's ratings, one of `ratingScales` */
export function finishForm(
  t: Translate,
  { language, scale }: { language: Language; scale: string },
  { id, rating }: UserBook,
): Html {
  const largest = Number(scale)
  const offered = new Set(rating > 0 ? [...ratings, rating] : ratings)
  const options = [...offered]
    .toSorted((a, b) => b - a)
    .map(
      (value) =>
        html`<option value="${value}" ${value === rating ? raw(' selected') : ''}>
          ${((value * largest) / 10).toLocaleString(language)}
        </option>`,
    )
  return html`<form method="post" action="/lite/finish">
    <input type="hidden" name="book" value="${id}" />
    <label for="rating">${t('rating', { scale: largest.toLocaleString(language) })}</label>
    <select id="rating" name="rating">
      <option value="">${t('noRating')}</option>
      ${options}
    </select>
    <p><button>${t('finish')}</button></p>
  </form>`
}

export function wantedList(t: Translate, { books, next }: BookPage): Html {
  if (!books.length) return html`<p>${t('nothingWanted')}</p>`
  return html`<ul>
      ${books.map((book) => html`<li>${named(t, book)}${startForm(t, book.id)}</li>`)}
    </ul>
    ${moreLink(t, '/lite/want', next)}`
}

function startForm(t: Translate, id: string): Html {
  return html`<form method="post" action="/lite/start">
    <input type="hidden" name="book" value="${id}" />
    <button>${t('start')}</button>
  </form>`
}

/** @param found null before anything is searched */
export function searchPage(
  t: Translate,
  text: string,
  found: {
    own: readonly OwnBook[]
    books: readonly Pick<Book, 'id' | 'title' | 'authors'>[]
  } | null,
): Html {
  const own = found?.own.map(
    (book) =>
      html`<li>
        ${named(t, book)}
        <p>${t(`status.${book.status}`)}</p>
        ${book.status === 'planning' ? startForm(t, book.id) : ''}
      </li>`,
  )
  const books = found?.books.map(
    (book) =>
      html`<li>
        ${named(t, book)}
        <form method="post" action="/lite/want">
          <input type="hidden" name="book" value="${book.id}" />
          <button>${t('wantToRead')}</button>
        </form>
      </li>`,
  )
  return html`<form action="/lite/search">
      <label for="q">${t('searchBooks')}</label>
      <input class="wide" id="q" name="q" type="search" value="${text}" required />
      <p><button>${t('search')}</button></p>
    </form>
    ${
      own?.length
        ? html`<h2>${t('yourBooks')}</h2>
            <ul>
              ${own}
            </ul>`
        : ''
    }
    ${
      books?.length
        ? html`<h2>${t('catalogue')}</h2>
            <ul>
              ${books}
            </ul>`
        : ''
    }
    ${found && !own?.length && !books?.length ? html`<p>${t('nothingFound')}</p>` : ''}`
}
