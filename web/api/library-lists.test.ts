import { expect, it } from 'vitest'
import { noFilter, type BookFilter } from '#shared/book-filter.ts'
import { createBrowserClient } from './client.ts'
import { bookFilter } from './library-lists.ts'

const filterOf = (filter: Partial<BookFilter>) =>
  bookFilter(createBrowserClient(), 'ann', { ...noFilter, ...filter })

it('asks for all books of a reader without a filter', () => {
  expect(filterOf({})).toBe('user = "ann"')
})

it.each<[Partial<BookFilter>, string]>([
  [{ status: ['reading', 'paused'] }, '(status = "reading" || status = "paused")'],
  [{ title: 'emma' }, 'title:folded ~ "emma"'],
  [{ author: 'austen' }, 'authors:folded ~ "austen"'],
  [{ genre: 'novel' }, 'genres:folded ~ "novel"'],
  [{ isbn: '978014' }, '(isbn ~ "978014")'],
  [{ tag: 'gothic' }, 'tags:folded ~ "gothic"'],
  [{ shelves: ['s1', 's2'] }, '(shelf = "s1" || shelf = "s2")'],
  [{ format: 'audio' }, 'format = "audio"'],
  [{ read: '2024' }, 'years_read ~ "2024"'],
  [{ without: ['rating', 'review'] }, 'rating = 0 && review = ""'],
  [{ progress: [10, 100] }, 'progress_average >= 10'],
  [{ progress: [0, 50] }, 'progress_average <= 50'],
  [{ rating: [6, 8.5] }, 'rating >= 6 && rating <= 8.5'],
])('asks for the books of %o', (filter, condition) => {
  expect(filterOf(filter)).toBe(`user = "ann" && ${condition}`)
})

it('asks for books that have all of what is chosen', () => {
  expect(filterOf({ status: ['completed'], shelves: ['s1'], rating: [8, 10] })).toBe(
    'user = "ann" && (status = "completed") && (shelf = "s1") && rating >= 8',
  )
})
