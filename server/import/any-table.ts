import type { ImportedReading } from '#shared/import.ts'
import { foldText } from '#shared/text.ts'
import { factsOf } from './book-facts.ts'
import { findIsbn, isNo } from './cells.ts'
import { distinctPeople } from './people.ts'
import { emptyBook, type Cells, type Format } from './row.ts'
import { isStatusOfReaders } from './statuses.ts'

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
    ['additionalauthors', 'coauthor', 'coauthors'],
  ].flat(),
  isbn: ['isbn13', 'isbn', 'isbn10', 'ean'],
  status: [
    ['status', 'readstatus', 'readingstatus', 'shelf', 'exclusiveshelf', 'state', 'lesestatus'],
    ['statut', 'estado', '状態', 'ステータス', 'الحالة'],
  ].flat(),
  rating: [
    ['rating', 'myrating', 'stars', 'starrating', 'bewertung', 'sterne', 'calificacion'],
    [
      'avaliacao',
      'estrellas',
      'estrelas',
      '評価',
      'التقييم',
      'valoracion',
      'puntuacion',
      'etoiles',
    ],
    ['classificacao'],
  ].flat(),
  review: ['review', 'myreview', 'rezension', 'critique', 'resena', 'resenha', '感想', 'المراجعة'],
  notes: ['notes', 'privatenotes', 'note', 'notizen', 'notiz', 'notas', 'nota', 'メモ', 'ملاحظات'],
  tags: ['tags', 'shelves', 'bookshelves', 'genres', 'genre', 'category', 'categories'],
  started: ['started', 'datestarted', 'startdate', 'start', 'begonnen', 'angefangen', '開始日'],
  finished: [
    ['finished', 'dateread', 'datefinished', 'finishdate', 'enddate', 'readdate', 'gelesenam'],
    ['beendet', 'fini', 'lule', 'terminado', 'leidoel', 'lidoem', '読了日', 'تاريخالقراءة'],
    ['lesedatum', 'datedelecture', 'datefin', 'datedefin', 'fechadelectura', 'fechafin'],
    ['datadeleitura', 'datadetermino'],
  ].flat(),
  added: ['added', 'dateadded', 'created', 'createdat'],
  pages: [
    ['pages', 'pagecount', 'numberofpages', 'totalpages', 'seiten', 'seitenzahl', 'paginas'],
    ['ページ', 'ページ数', 'الصفحات'],
  ].flat(),
  format: ['format', 'binding', 'bookformat', 'media', 'formato'],
  owned: ['owned', 'ownedcopies'],
  id: ['id', 'bookid'],
  series: ['series', 'reihe', 'serie', 'シリーズ', 'السلسلة'],
  position: [
    ['seriesnumber', 'seriesindex', 'seriesposition', 'numberinseries', 'volume', 'band', 'tome'],
    ['tomo', '巻'],
  ].flat(),
  language: ['language', 'sprache', 'langue', 'idioma', 'lengua', '言語', 'اللغة'],
  published: [
    ['published', 'publicationdate', 'datepublished', 'publishdate', 'yearpublished', 'year'],
    ['publicationyear', 'erscheinungsjahr', 'jahr', 'annee', 'anneedepublication', 'ano'],
    ['anodepublicacion', 'anodepublicacao', '出版年', 'سنةالنشر'],
  ].flat(),
  description: ['description', 'summary', 'beschreibung', 'resume', 'descripcion', 'descricao'],
  /** It can mean any day: which one isn't guessed. */
  day: ['date', 'day', 'datum', 'fecha', 'data', '日付'],
} as const satisfies Record<string, readonly string[]>

/** What several columns say in different ways, so that one of them is enough. */
const mayDiffer: ReadonlySet<keyof typeof names> = new Set(['id', 'published'])

/** "Note" is a remark in English and the rating in French; its values show which. */
const ratingOrNote = new Set(['note', 'nota'])

const fold = (text: string) => foldText(text).replaceAll(' ', '')

const meanings = new Map(
  Object.entries(names).map(([which, all]) => [which, new Set(all.map(fold))]),
)

/** @returns whether a column's name means this, in any of Octavo's languages */
export const isColumnFor = (which: keyof typeof names, column: string): boolean =>
  meanings.get(which)!.has(fold(column))

/** Names of columns that only lists of books have, beside those for an author and pages. */
const ofBooks = new Set(
  [
    ['booktitle', 'buch', 'livre', 'libro', 'livro', '書名', 'isbn13', 'isbn', 'isbn10', 'bookid'],
    ['shelf', 'exclusiveshelf', 'shelves', 'bookshelves', 'readstatus', 'readingstatus'],
    ['lesestatus', 'dateread', 'readdate', 'gelesenam', 'lule', 'leidoel', 'lidoem', '読了日'],
    ['تاريخالقراءة', 'lesedatum', 'datedelecture', 'fechadelectura', 'datadeleitura'],
  ]
    .flat()
    .map(fold),
)

/** What people note down of a book without more; with any other column it can be of anything. */
const noted = [
  'title',
  'subtitle',
  'rating',
  'review',
  'notes',
  'day',
  'started',
  'finished',
] as const

type Columns = Record<keyof typeof names, string[]>

/**
 * @returns whether a table is one of books: bookmarks have titles, too, bank statements names, and
 *   lists of tasks, films or games a status and a rating
 */
function isOfBooks(header: readonly string[], columns: Columns, rows: readonly Cells[]): boolean {
  const values = (which: keyof typeof names) =>
    rows.flatMap((cells) => columns[which].map((name) => cells[name] ?? ''))
  const has = (which: keyof typeof names) => columns[which].length > 0
  // An EAN is on other goods, too.
  if (columns.isbn.some((name) => ofBooks.has(fold(name)))) return true
  if (values('isbn').some((value) => findIsbn(value))) return true
  if (has('author')) return has('title')
  // Whatever has a name only, and no author, is hardly a book.
  if (columns.title.every((name) => fold(name) === 'name')) return false
  if (has('pages') || header.some((name) => ofBooks.has(fold(name)))) return true
  if (values('status').some(isStatusOfReaders)) return true
  const isNoted = header.every(
    (name) => !name || noted.some((which) => columns[which].includes(name)),
  )
  return isNoted && (header.length === 1 || has('rating') || has('review') || has('finished'))
}

/**
 * @param rows the first ones
 * @returns a format that reads a table by its columns' names; undefined if it isn't one of books
 */
export function anyTable(header: readonly string[], rows: readonly Cells[]): Format | undefined {
  const byName = Map.groupBy(header, fold)
  const columns = Object.fromEntries(
    Object.entries(names).map(([which, some]) => [
      which,
      some.flatMap((name) => byName.get(fold(name)) ?? []),
    ]),
  ) as Columns
  if (!isOfBooks(header, columns, rows)) return undefined
  // "Author 2", or a second column of that name.
  const authors = header.filter((name) => isColumnFor('author', name.replace(/ ?\(?\d\)?$/, '')))
  const [mark = ''] = columns.rating.length ? [] : columns.notes
  const isMark = ratingOrNote.has(fold(mark))
  const isBookLogr = header.includes('reading_status') && header.includes('current_page')
  return {
    format: isBookLogr ? 'booklogr' : 'table',
    has: [],
    read(row) {
      const first = (which: keyof typeof names) => {
        const column = row.firstOf(columns[which])
        for (const other of columns[which])
          if (!mayDiffer.has(which) && row.hasOther(other, column)) row.warn('columnSecond', other)
        return column
      }
      const isRated = isMark && row.hasRating(mark)
      const status = row.status(first('status')) || row.status('reading_status')
      const started = row.date(first('started'))
      const finished = row.date(first('finished'))
      const outcome: ImportedReading['outcome'] = status === 'dropped' ? 'dropped' : 'finished'
      if (row.text(first('day'))) row.warn('dateUnnamed', first('day'))
      const owned = row.cell(first('owned'))
      return {
        ...emptyBook,
        title: [row.text(first('title')), row.text(first('subtitle'))].filter(Boolean).join(': '),
        authors: distinctPeople(authors.flatMap((name) => row.people(name))),
        isbn: row.isbn(...columns.isbn),
        status,
        status_name: row.word(first('status')),
        tags: [...new Set(columns.tags.flatMap((name) => row.list(name)))],
        rating: isBookLogr
          ? row.stars(first('rating'))
          : row.rating(isRated ? mark : first('rating')),
        review: row.html(first('review')),
        notes: columns.notes
          .filter((name) => !isRated || name !== mark)
          .map((name) => row.html(name))
          .filter(Boolean)
          .join('\n\n'),
        format: row.format(first('format')),
        pages: row.pages(first('pages')),
        owned: row.isYes(first('owned')) ? 1 : isNo(owned) ? 0 : row.count(first('owned')),
        added: row.date(first('added')),
        readings: started || finished ? [{ started, finished, outcome }] : [],
        read_count: finished && outcome === 'finished' ? 1 : 0,
        source_id: row.text(first('id')),
        facts: factsOf(row, {
          series: first('series'),
          position: first('position'),
          language: first('language'),
          published: first('published'),
          description: first('description'),
        }),
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
