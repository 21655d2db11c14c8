import type { ImportedReading } from '#shared/import.ts'
import { foldText } from '#shared/text.ts'
import { isNo, parseBookFormat } from './cells.ts'
import { splitPeople } from './people.ts'
import { emptyBook, type Format } from './row.ts'

/** Common names of columns in Octavo's languages, without spaces. */
const names = {
  title: [
    ['title', 'booktitle', 'name', 'titel', 'buch', 'titre', 'livre', 'titulo', 'libro', 'livro'],
    ['タイトル', '書名', 'العنوان', 'عنوان'],
  ].flat(),
  subtitle: ['subtitle', 'untertitel', 'soustitre', 'subtitulo', '副題'],
  author: [
    ['author', 'authors', 'authorname', 'writer', 'by', 'autor', 'autorin', 'autoren', 'auteur'],
    ['auteurs', 'autrice', 'autora', 'autores', '著者', '作者', 'المؤلف', 'الكاتب'],
  ].flat(),
  isbn: ['isbn13', 'isbn', 'isbn10', 'ean'],
  status: [
    ['status', 'readstatus', 'readingstatus', 'shelf', 'exclusiveshelf', 'state', 'lesestatus'],
    ['statut', 'estado', '状態', 'ステータス', 'الحالة'],
  ].flat(),
  rating: [
    ['rating', 'myrating', 'stars', 'starrating', 'bewertung', 'sterne', 'calificacion'],
    ['avaliacao', 'estrellas', 'estrelas', '評価', 'التقييم'],
  ].flat(),
  review: ['review', 'myreview', 'rezension', 'critique', 'resena', 'resenha', '感想', 'المراجعة'],
  notes: ['notes', 'privatenotes', 'note', 'notizen', 'notiz', 'notas', 'メモ', 'ملاحظات'],
  tags: ['tags', 'shelves', 'bookshelves', 'genres', 'genre', 'category', 'categories'],
  started: ['started', 'datestarted', 'startdate', 'start', 'begonnen', 'angefangen', '開始日'],
  finished: [
    ['finished', 'dateread', 'datefinished', 'finishdate', 'enddate', 'readdate', 'gelesenam'],
    ['beendet', 'fini', 'lule', 'terminado', 'leidoel', 'lidoem', '読了日', 'تاريخالقراءة'],
  ].flat(),
  added: ['added', 'dateadded', 'created', 'createdat'],
  pages: [
    ['pages', 'pagecount', 'numberofpages', 'totalpages', 'seiten', 'seitenzahl', 'paginas'],
    ['ページ', 'ページ数', 'الصفحات'],
  ].flat(),
  format: ['format', 'binding', 'bookformat', 'media', 'formato'],
  owned: ['owned', 'ownedcopies'],
  id: ['id', 'bookid'],
  /** It can mean any day: which one isn't guessed. */
  day: ['date', 'day', 'datum', 'fecha', 'data', '日付'],
} as const satisfies Record<string, readonly string[]>

const fold = (text: string) => foldText(text).replaceAll(' ', '')

const meanings = new Map(
  Object.entries(names).map(([which, all]) => [which, new Set(all.map(fold))]),
)

/** @returns whether a column's name means this, in any of Octavo's languages */
export const isColumnFor = (which: keyof typeof names, column: string): boolean =>
  meanings.get(which)!.has(fold(column))

/** Columns that only lists of books have beside a title: bookmarks and to-do lists have the others. */
const ofBooks = [
  'author',
  'isbn',
  'pages',
  'status',
  'rating',
  'review',
  'started',
  'finished',
] as const

/**
 * @returns a format that reads a table by its columns' names; undefined if it isn't one of books:
 *   bookmarks have titles, too, and bank statements names
 */
export function anyTable(header: readonly string[]): Format | undefined {
  const byName = Map.groupBy(header, fold)
  const columns = Object.fromEntries(
    Object.entries(names).map(([which, some]) => [
      which,
      some.flatMap((name) => byName.get(fold(name)) ?? []),
    ]),
  ) as Record<keyof typeof names, string[]>
  const isAlone = header.length === 1 && fold(header[0]!) !== 'name'
  const isOfBooks = ofBooks.some((which) => columns[which].length)
  // Whatever has a name only, and no author, is hardly a book.
  const isNamed = columns.title.every((name) => fold(name) === 'name')
  if (!columns.isbn.length) {
    if (!columns.title.length || !(isAlone || isOfBooks)) return undefined
    if (isNamed && !columns.author.length) return undefined
  }
  const isBookLogr = header.includes('reading_status') && header.includes('current_page')
  return {
    format: isBookLogr ? 'booklogr' : 'table',
    has: [],
    read(row) {
      const first = (which: keyof typeof names) => row.firstOf(columns[which])
      const status = row.status(first('status')) || row.status('reading_status')
      const started = row.date(first('started'))
      const finished = row.date(first('finished'))
      const outcome: ImportedReading['outcome'] = status === 'dropped' ? 'dropped' : 'finished'
      if (row.text(first('day'))) row.warn('dateUnnamed', first('day'))
      const owned = row.cell(first('owned'))
      return {
        ...emptyBook,
        title: [row.text(first('title')), row.text(first('subtitle'))].filter(Boolean).join(': '),
        authors: splitPeople(row.cell(first('author'))),
        isbn: row.isbn(...columns.isbn),
        status,
        status_name: row.word(first('status')),
        tags: [...new Set(columns.tags.flatMap((name) => row.list(name)))],
        rating: isBookLogr ? row.stars(first('rating')) : row.rating(first('rating')),
        review: row.html(first('review')),
        notes: row.html(first('notes')),
        format: parseBookFormat(row.cell(first('format'))),
        pages: row.pages(first('pages')),
        owned: row.isYes(first('owned')) ? 1 : isNo(owned) ? 0 : row.count(first('owned')),
        added: row.date(first('added')),
        readings: started || finished ? [{ started, finished, outcome }] : [],
        read_count: finished && outcome === 'finished' ? 1 : 0,
        source_id: row.text(first('id')),
      }
    },
  }
}

/** A list with one ISBN on each line. */
export const isbns: Format = {
  format: 'isbns',
  has: [],
  read: (row) => ({ ...emptyBook, isbn: row.isbn('ISBN') }),
}
