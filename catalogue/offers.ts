import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { BookSource, OfferForm, StoreOffer } from '#shared/offer.ts'

/** What of a book goes into an address; texts are encoded. */
interface Wanted {
  isbn10: string | null
  isbn13: string | null
  /** Title and author. */
  words: string
  /** The ISBN where there is one, else the words. */
  any: string
}

type Link = (wanted: Wanted) => string | null

interface Store {
  name: string
  physical?: Link
  ebook?: Link
  audio_book?: Link
}

/** The product's own page where the store addresses pages by ISBN, else its search. */
const stores: Store[] = [
  {
    name: 'Bookshop.org',
    physical: ({ isbn13, words }) =>
      isbn13
        ? `https://bookshop.org/book/${isbn13}`
        : `https://bookshop.org/search?keywords=${words}`,
  },
  {
    name: 'Amazon',
    // A printed book's number there is its ISBN-10; books numbered 979 have none.
    physical: ({ isbn10, any }) =>
      isbn10
        ? `https://www.amazon.com/dp/${isbn10}`
        : `https://www.amazon.com/s?k=${any}&i=stripbooks`,
    ebook: ({ words }) => words && `https://www.amazon.com/s?k=${words}&i=digital-text`,
  },
  {
    name: 'Barnes & Noble',
    physical: ({ isbn13, words }) =>
      isbn13
        ? `https://www.barnesandnoble.com/w/?ean=${isbn13}`
        : `https://www.barnesandnoble.com/s/${words}`,
  },
  {
    name: "Blackwell's",
    physical: ({ isbn13 }) => isbn13 && `https://blackwells.co.uk/bookshop/product/${isbn13}`,
  },
  {
    name: 'AbeBooks',
    physical: ({ isbn13, words }) =>
      `https://www.abebooks.com/servlet/SearchResults?${isbn13 ? `isbn=${isbn13}` : `kn=${words}`}`,
  },
  {
    name: 'ThriftBooks',
    physical: ({ any }) => `https://www.thriftbooks.com/browse/?b.search=${any}`,
  },
  {
    name: 'Better World Books',
    physical: ({ isbn13, words }) =>
      isbn13
        ? `https://www.betterworldbooks.com/product/detail/${isbn13}`
        : `https://www.betterworldbooks.com/search/results?q=${words}`,
  },
  {
    name: 'WorldCat libraries',
    physical: ({ isbn13, words }) =>
      isbn13
        ? `https://worldcat.org/isbn/${isbn13}`
        : `https://search.worldcat.org/search?q=${words}`,
  },
  {
    name: 'Kobo',
    ebook: ({ any }) => `https://www.kobo.com/us/en/search?query=${any}`,
  },
  {
    name: 'Google Play Books',
    ebook: ({ any }) => `https://play.google.com/store/search?q=${any}&c=books`,
  },
  {
    name: 'Apple Books',
    ebook: ({ words }) => words && `https://books.apple.com/us/search?term=${words}`,
  },
  {
    name: 'eBooks.com',
    ebook: ({ any }) => `https://www.ebooks.com/searchapp/searchresults.net?term=${any}`,
  },
  {
    name: 'OverDrive libraries',
    ebook: ({ any }) => `https://www.overdrive.com/search?q=${any}`,
    audio_book: ({ words }) => words && `https://www.overdrive.com/search?q=${words}`,
  },
  {
    name: 'Project Gutenberg',
    ebook: ({ words }) => words && `https://www.gutenberg.org/ebooks/search/?query=${words}`,
  },
  {
    name: 'Standard Ebooks',
    ebook: ({ words }) => words && `https://standardebooks.org/ebooks?query=${words}`,
  },
  {
    name: 'Audible',
    audio_book: ({ words }) => words && `https://www.audible.com/search?keywords=${words}`,
  },
  {
    name: 'Libro.fm',
    audio_book: ({ words }) => words && `https://libro.fm/search?q=${words}`,
  },
]

/**
 * Where a book can be bought or borrowed. Addresses are put together, nothing is fetched: a store
 * that does not have the book says so itself.
 *
 * @param form a valid form, with title or ISBN
 * @returns stores with a link for each format; those that can link nothing are left out
 */
export function storeOffers(form: OfferForm): StoreOffer[] {
  const wanted = wantedBook(form)
  return stores.flatMap(({ name, physical, ebook, audio_book }) => {
    const links = {
      ...linkOf('physical', physical?.(wanted)),
      ...linkOf('ebook', ebook?.(wanted)),
      ...linkOf('audio_book', audio_book?.(wanted)),
    }
    return Object.keys(links).length === 0 ? [] : [{ store: name, links }]
  })
}

/**
 * Where the two open catalogues of the world describe a book.
 *
 * @param form a valid form, with title or ISBN
 */
export function bookSources(form: OfferForm): BookSource[] {
  const { isbn13, words } = wantedBook(form)
  return [
    {
      name: 'google',
      link: isbn13
        ? `https://books.google.com/books?vid=ISBN${isbn13}`
        : `https://books.google.com/books?q=${words}`,
    },
    {
      name: 'openlibrary',
      link: isbn13
        ? `https://openlibrary.org/isbn/${isbn13}`
        : `https://openlibrary.org/search?q=${words}`,
    },
  ]
}

function wantedBook({ title, author, isbn }: OfferForm): Wanted {
  const isbn13 = toIsbn13(isbn)
  // A lone half of a surrogate pair cannot be encoded.
  const words = encodeURIComponent(`${title} ${author}`.trim().toWellFormed())
  return { isbn13, isbn10: toIsbn10(isbn), words, any: isbn13 ?? words }
}

function linkOf(format: string, link: string | null | undefined): Record<string, string> {
  return link ? { [format]: link } : {}
}
