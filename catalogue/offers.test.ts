import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offerForm, ownStore } from '#shared/offer-form.ts'
import { bookSources, storeOffers } from './offers.ts'

const links = (form: Record<string, string>, store: string) =>
  storeOffers(offerForm.parse(form)).find((offer) => offer.store === store)?.links

describe('offers', () => {
  const dune = { title: 'Dune', author: 'Frank Herbert', isbn: '978-0-441-01359-3' }

  test('lead to the very edition where a store goes by ISBN', () => {
    expect(links(dune, 'Amazon')).toEqual({
      physical: 'https://www.amazon.com/dp/0441013597',
      ebook: 'https://www.amazon.com/s?k=Dune%20Frank%20Herbert&i=digital-text',
    })
    expect(links(dune, "Blackwell's")?.physical).toContain('/9780441013593')
  })

  test('search by title and author without an ISBN', () => {
    const form = { title: 'War & Peace', author: 'Leo Tolstoy' }
    expect(links(form, 'Amazon')?.physical).toBe(
      'https://www.amazon.com/s?k=War%20%26%20Peace%20Leo%20Tolstoy&i=stripbooks',
    )
    expect(links(form, "Blackwell's")).toBeUndefined()
  })

  test('search by ISBN where a 979 number has no ten-digit form', () => {
    const form = { title: 'New', isbn: '9791032702284' }
    expect(links(form, 'Amazon')?.physical).toContain('/s?k=9791032702284')
  })

  test('need no title with an ISBN', () => {
    expect(links({ isbn: dune.isbn }, 'Audible')).toBeUndefined()
    expect(links({ isbn: dune.isbn }, 'Kobo')?.ebook).toContain('9780441013593')
  })

  test('are those of the country a reader buys in', () => {
    const germany = { ...dune, country: 'DE' }
    expect(links(germany, 'Amazon')?.physical).toBe('https://www.amazon.de/dp/0441013597')
    expect(links(germany, 'Thalia')?.physical).toContain('9780441013593')
    expect(links(germany, 'Barnes & Noble')).toBeUndefined()
    expect(links({ ...dune, country: 'XX' }, 'Barnes & Noble')).toBeDefined()
  })

  test('are free or lent only where it is known that they are', () => {
    const offers = storeOffers(offerForm.parse(dune))
    expect(offers.filter(({ kind }) => kind === 'free')).toEqual([])
    const emma = storeOffers(offerForm.parse({ title: 'Emma', author: 'Austen, Jane' }))
    expect(emma[0]).toEqual({
      store: 'Project Gutenberg',
      kind: 'free',
      links: { ebook: 'https://www.gutenberg.org/ebooks/158' },
    })
    const ids = {
      gutenberg: '7',
      standard_ebooks: 'jane-austen/emma',
      librivox: 'emma-by-jane-austen',
      archive: 'emma00aust',
    }
    const known = storeOffers(offerForm.parse(dune), ids).flatMap(({ links }) =>
      Object.values(links),
    )
    expect(known).toEqual(
      expect.arrayContaining([
        'https://www.gutenberg.org/ebooks/7',
        'https://standardebooks.org/ebooks/jane-austen/emma',
        'https://librivox.org/emma-by-jane-austen',
        'https://openlibrary.org/borrow/ia/emma00aust',
      ]),
    )
  })

  test('are well-formed https addresses that say the same, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (title) => {
        const form = offerForm.safeParse({ title, author: 'A' })
        fc.pre(form.success)
        for (const { links } of storeOffers(offerForm.parse({ title, author: 'A' })))
          for (const link of Object.values(links)) {
            expect(new URL(link).protocol).toBe('https:')
            expect(link).toMatch(/^[\w:/.?=&%~!*'()-]+$/)
          }
      }),
    )
  })
})

test('sources lead to both catalogues, by ISBN or by words', () => {
  expect(bookSources(offerForm.parse({ isbn: '0441013597' }))).toEqual([
    { name: 'google', link: 'https://books.google.com/books?vid=ISBN9780441013593' },
    { name: 'openlibrary', link: 'https://openlibrary.org/isbn/9780441013593' },
  ])
  expect(bookSources(offerForm.parse({ title: 'Dune' })).map((source) => source.link)).toEqual([
    'https://books.google.com/books?q=Dune',
    'https://openlibrary.org/search?q=Dune',
  ])
})

test('sources lead to the very record where it is known', () => {
  const form = offerForm.parse({ title: 'Dune', isbn: '0441013597' })
  const sources = bookSources(form, { google: 'B1hSG45JCX4C', openlibrary: 'OL893415W' })
  expect(sources.map(({ link }) => link)).toEqual([
    'https://books.google.com/books?id=B1hSG45JCX4C',
    'https://openlibrary.org/works/OL893415W',
  ])
})

describe('a store of a reader’s own', () => {
  const store = { name: 'Corner shop', format: 'physical' }

  test.each([
    'https://shop.example/{isbn13}',
    'https://shop.example/search?t={title}&a={author}',
    'https://shop.example/{isbn10}#book',
  ])('may be %s', (template) => {
    expect(ownStore.safeParse({ ...store, template }).success).toBe(true)
  })

  test.each([
    '',
    'http://shop.example/{isbn13}',
    'javascript:alert({isbn13})',
    'https://shop.example/',
    'https://shop.example/{password}',
    'https://{title}/x',
    'https://shop.{author}.example/',
    'https://me:secret@shop.example/{isbn13}',
  ])('may not be %j', (template) => {
    expect(ownStore.safeParse({ ...store, template }).error?.issues[0]?.message).toBe(
      'storeAddress',
    )
  })
})
