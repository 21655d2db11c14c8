import type { OfferFormat, OfferKind, StoreCountry } from '#shared/offer.ts'

/**
 * A store and its URL templates. For each format the first template that a book can fill is used:
 * the product page if the store addresses pages by number, otherwise its search. `{words}` is title
 * and author; `{isbn13}`, `{isbn10}`, `{google}`, `{gutenberg}` and so on are ids; `{site}` is the
 * store's host in the reader's country.
 */
export interface Store {
  name: string
  kind: OfferKind
  /** Where it sells; everywhere if absent. */
  countries?: readonly StoreCountry[]
  /** Its host by country; it isn't offered in others. */
  sites?: Partial<Record<StoreCountry, string>>
  links: Partial<Record<OfferFormat, readonly string[]>>
}

const amazon = {
  US: 'www.amazon.com',
  GB: 'www.amazon.co.uk',
  CA: 'www.amazon.ca',
  AU: 'www.amazon.com.au',
  DE: 'www.amazon.de',
  FR: 'www.amazon.fr',
  ES: 'www.amazon.es',
  IT: 'www.amazon.it',
  NL: 'www.amazon.nl',
  BR: 'www.amazon.com.br',
  IN: 'www.amazon.in',
  JP: 'www.amazon.co.jp',
}
const audible = {
  US: 'www.audible.com',
  GB: 'www.audible.co.uk',
  CA: 'www.audible.ca',
  AU: 'www.audible.com.au',
  DE: 'www.audible.de',
  FR: 'www.audible.fr',
  ES: 'www.audible.es',
  IT: 'www.audible.it',
  BR: 'www.audible.com.br',
  IN: 'www.audible.in',
  JP: 'www.audible.co.jp',
}
const kobo = {
  US: 'us/en',
  GB: 'gb/en',
  CA: 'ca/en',
  AU: 'au/en',
  DE: 'de/de',
  FR: 'fr/fr',
  ES: 'es/es',
  IT: 'it/it',
  NL: 'nl/nl',
  BR: 'br/pt',
  IN: 'in/en',
  JP: 'jp/ja',
}
const apple = {
  US: 'us',
  GB: 'gb',
  CA: 'ca',
  AU: 'au',
  DE: 'de',
  FR: 'fr',
  ES: 'es',
  IT: 'it',
  NL: 'nl',
  BR: 'br',
  JP: 'jp',
}

/**
 * In display order. E-books and audiobooks have other ISBNs than printed books, so they are
 * searched by words.
 */
export const stores: readonly Store[] = [
  {
    name: 'Project Gutenberg',
    kind: 'free',
    links: { ebook: ['https://www.gutenberg.org/ebooks/{gutenberg}'] },
  },
  {
    name: 'Standard Ebooks',
    kind: 'free',
    links: { ebook: ['https://standardebooks.org/ebooks/{standard_ebooks}'] },
  },
  {
    name: 'LibriVox',
    kind: 'free',
    links: { audio_book: ['https://librivox.org/{librivox}'] },
  },
  {
    name: 'Open Library',
    kind: 'library',
    links: { ebook: ['https://openlibrary.org/borrow/ia/{archive}'] },
  },
  {
    name: 'WorldCat',
    kind: 'library',
    links: {
      physical: [
        'https://worldcat.org/isbn/{isbn13}',
        'https://search.worldcat.org/search?q={words}',
      ],
    },
  },
  {
    name: 'OverDrive',
    kind: 'library',
    links: {
      ebook: [
        'https://www.overdrive.com/search?q={words}',
        'https://www.overdrive.com/search?q={isbn13}',
      ],
      audio_book: ['https://www.overdrive.com/search?q={words}'],
    },
  },
  {
    name: 'Bookshop.org',
    kind: 'store',
    sites: { US: 'bookshop.org', GB: 'uk.bookshop.org' },
    links: {
      physical: ['https://{site}/book/{isbn13}', 'https://{site}/search?keywords={words}'],
    },
  },
  {
    name: 'Amazon',
    kind: 'store',
    sites: amazon,
    links: {
      // A printed book's id is its ISBN-10; books with a 979 ISBN have none.
      physical: [
        'https://{site}/dp/{isbn10}',
        'https://{site}/s?k={isbn13}&i=stripbooks',
        'https://{site}/s?k={words}&i=stripbooks',
      ],
      ebook: ['https://{site}/s?k={words}&i=digital-text'],
    },
  },
  {
    name: 'Barnes & Noble',
    kind: 'store',
    countries: ['US'],
    links: {
      physical: [
        'https://www.barnesandnoble.com/w/?ean={isbn13}',
        'https://www.barnesandnoble.com/s/{words}',
      ],
    },
  },
  {
    name: 'Waterstones',
    kind: 'store',
    countries: ['GB'],
    links: { physical: [`https://www.waterstones.com/books/search/term/{isbn13}`] },
  },
  {
    name: "Blackwell's",
    kind: 'store',
    countries: ['GB', 'US', 'CA', 'AU', 'NL', 'IN'],
    links: { physical: ['https://blackwells.co.uk/bookshop/product/{isbn13}'] },
  },
  {
    name: 'Indigo',
    kind: 'store',
    countries: ['CA'],
    links: { physical: ['https://www.indigo.ca/en-ca/search?q={isbn13}'] },
  },
  {
    name: 'Booktopia',
    kind: 'store',
    countries: ['AU'],
    links: { physical: ['https://www.booktopia.com.au/search?keywords={isbn13}'] },
  },
  {
    name: 'Thalia',
    kind: 'store',
    countries: ['DE'],
    links: {
      physical: [
        'https://www.thalia.de/suche?sq={isbn13}',
        'https://www.thalia.de/suche?sq={words}',
      ],
      ebook: ['https://www.thalia.de/suche?sq={words}'],
    },
  },
  {
    name: 'Fnac',
    kind: 'store',
    countries: ['FR'],
    links: { physical: ['https://www.fnac.com/SearchResult/ResultList.aspx?Search={isbn13}'] },
  },
  {
    name: 'Casa del Libro',
    kind: 'store',
    countries: ['ES'],
    links: { physical: ['https://www.casadellibro.com/?query={isbn13}'] },
  },
  {
    name: 'IBS',
    kind: 'store',
    countries: ['IT'],
    links: { physical: ['https://www.ibs.it/search/?ts=as&query={isbn13}'] },
  },
  {
    name: 'bol',
    kind: 'store',
    countries: ['NL'],
    links: { physical: ['https://www.bol.com/nl/nl/s/?searchtext={isbn13}'] },
  },
  {
    name: 'Kinokuniya',
    kind: 'store',
    countries: ['JP'],
    links: { physical: ['https://www.kinokuniya.co.jp/f/dsg-01-{isbn13}'] },
  },
  {
    name: 'AbeBooks',
    kind: 'store',
    links: {
      physical: [
        'https://www.abebooks.com/servlet/SearchResults?isbn={isbn13}',
        'https://www.abebooks.com/servlet/SearchResults?kn={words}',
      ],
    },
  },
  {
    name: 'ThriftBooks',
    kind: 'store',
    countries: ['US'],
    links: {
      physical: [
        'https://www.thriftbooks.com/browse/?b.search={isbn13}',
        'https://www.thriftbooks.com/browse/?b.search={words}',
      ],
    },
  },
  {
    name: 'Better World Books',
    kind: 'store',
    countries: ['US', 'GB', 'CA'],
    links: {
      physical: [
        'https://www.betterworldbooks.com/product/detail/{isbn13}',
        'https://www.betterworldbooks.com/search/results?q={words}',
      ],
    },
  },
  {
    name: 'Kobo',
    kind: 'store',
    sites: kobo,
    links: {
      ebook: [
        'https://www.kobo.com/{site}/search?query={words}',
        'https://www.kobo.com/{site}/search?query={isbn13}',
      ],
    },
  },
  {
    name: 'Google Play Books',
    kind: 'store',
    links: {
      ebook: [
        'https://play.google.com/store/search?q={words}&c=books',
        'https://play.google.com/store/search?q={isbn13}&c=books',
      ],
    },
  },
  {
    name: 'Apple Books',
    kind: 'store',
    sites: apple,
    links: { ebook: ['https://books.apple.com/{site}/search?term={words}'] },
  },
  {
    name: 'eBooks.com',
    kind: 'store',
    countries: ['US', 'GB', 'CA', 'AU'],
    links: { ebook: ['https://www.ebooks.com/searchapp/searchresults.net?term={words}'] },
  },
  {
    name: 'Audible',
    kind: 'store',
    sites: audible,
    links: { audio_book: ['https://{site}/search?keywords={words}'] },
  },
  {
    name: 'Libro.fm',
    kind: 'store',
    countries: ['US', 'CA', 'GB', 'AU'],
    links: { audio_book: ['https://libro.fm/search?q={words}'] },
  },
]
