import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { starter } from '../starter-works.ts'
import { openBooks } from '../reading/books.ts'
import { buildIndex } from '../starter/build-index.ts'
import { openIndexReader } from '../reading/index-reader.ts'
import { createSearch } from './search.ts'

/** What people type who look for a book of the starter catalogue; the first result is theirs. */

const folder = mkdtempSync(join(tmpdir(), 'octavo-typed-'))
let first: (q: string) => string

beforeAll(async () => {
  const file = join(folder, 'catalogue.db')
  await buildIndex(file, starter())
  const reader = openIndexReader(file)
  const books = openBooks(file)
  const search = createSearch(reader)
  first = (q) => {
    const [id] = search(searchForm.parse({ q })).editionIds
    const book = id === undefined ? null : books.byEdition(id)
    return book ? `${book.title}, ${book.authors.join(', ')}` : 'nothing'
  }
  return () => {
    reader.close()
    books.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const kinds: Record<string, [q: string, title: RegExp][]> = {
  'without spaces, or with too many': [
    ['prideandprejudice', /^Pride and/],
    ['slaughter house five', /^Slaughterhouse/],
    ['middle march', /^Middlemarch/],
    ['to kill a mocking bird', /Mockingbird/],
    ['the oldman and the sea', /^The Old Man/],
    ['donquixote', /^Don Quixote/],
    ['hunterxhunter', /^Hunter x Hunter/],
    ['full metal alchemist 2', /^Fullmetal Alchemist, Vol. 2/],
    ['onepunch man', /^One-Punch Man/],
  ],
  'with another "and", or none': [
    ['pride & prejudice', /^Pride and/],
    ['of mice & men', /^Of Mice/],
    ['fathers & sons', /^Fathers/],
    ['romeo juliet', /^Romeo/],
    ['pride an prejudice', /^Pride and/],
    ['yotsuba&!', /^Yotsuba/],
  ],
  'with numbers in words, digits or Roman numerals': [
    ['1984 orwell', /^Nineteen Eighty-Four/],
    ['1984', /^Nineteen Eighty-Four/],
    ['catch twenty two', /^Catch-22/],
    ['twentieth century boys', /^20th Century/],
    ['12th night', /^Twelfth Night/],
    ['3 musketeers', /^The Three Musk/],
    ['tale of 2 cities', /^A Tale of Two/],
    ['20,000 leagues under the sea', /^Twenty Thousand/],
    ['around the world in 80 days', /in Eighty Days/],
    ['100 years of solitude', /^One Hundred/],
    ['slaughterhouse 5', /^Slaughterhouse/],
  ],
  'as a series and a number': [
    ['death note 3', /^Death Note, Vol. 3/],
    ['death note #3', /^Death Note, Vol. 3/],
    ['death note book 2', /^Death Note, Vol. 2/],
    ['death note volume four', /^Death Note, Vol. 4/],
    ['deathnote 4', /^Death Note, Vol. 4/],
    ['bleach 10', /^Bleach, Vol. 10/],
    ['bleach 1', /^Bleach, Vol. 1,/],
    ['ranma 1/2 vol 8', /^Ranma 1\/2, Vol. 8/],
    ["jojo's bizarre adventure 5", /^JoJo.*Vol. 5/],
    ['hikaru no go 7', /^Hikaru no Go, Vol. 7/],
    ['vampire hunter d 3', /^Vampire Hunter D, Vol. 3/],
    ['ghost in the shell 2', /^Ghost in the Shell 2/],
  ],
  'without the subtitle, or with one': [
    ['frankenstein or the modern prometheus', /^Frankenstein/],
    ['moby dick or the whale', /^Moby-Dick/],
    ['dr jekyll and mr hyde', /Jekyll/],
    ['alice in wonderland', /^Alice/],
    ['through the looking glass', /^Alice/],
    ['shahnameh', /^Shahnameh/],
    ['eden endless world', /^Eden: It's an Endless World/],
  ],
  'as a surname only': [
    ['austen', /Jane Austen$/],
    ['dostoevsky', /Dostoevsky$/],
    ['garcia marquez', /García Márquez$/],
    ['saint exupery', /^Le Petit Prince/],
    ['austen, jane', /Jane Austen$/],
    ['conan doyle', /Conan Doyle$/],
  ],
  'with initials': [
    ['JRR Tolkien', /^The Hobbit/],
    ['j.r.r. tolkien', /^The Hobbit/],
    ['j r r tolkien hobbit', /^The Hobbit/],
    ['hg wells', /H. G. Wells$/],
    ['jd salinger', /^The Catcher/],
    ['lm montgomery', /^Anne of/],
    ['f scott fitzgerald', /Fitzgerald$/],
    ['hp lovecraft', /Lovecraft$/],
  ],
  'by its initials': [
    ['tkam', /^To Kill/],
    ['lotf', /^Lord of the Flies/],
    ['tpodg', /^The Picture of Dorian/],
    ['p&p', /^Pride and/],
    ['w&p tolstoy', /^War and Peace/],
    ['ohyos marquez', /^One Hundred/],
  ],
  'with and without accents': [
    ['les miserables', /^Les Misérables/],
    ['emile zola germinal', /^Germinal/],
    ["l'etranger", /^L'Étranger/],
    ['letranger', /^L'Étranger/],
    ['pedro paramo', /^Pedro Páramo/],
    ['göthe', /Goethe$/],
    ['brontë wuthering', /^Wuthering/],
    ['nausicaa 5', /^Nausicaä.*Vol. 5/],
  ],
  'as another language writes it': [
    ['dostojewski', /Dostoevsky$/],
    ['tolstoi war and peace', /^War and Peace/],
    ['tchekhov', /Chekhov/],
    ['tchechov', /Chekhov/],
    ['tschechow', /Chekhov/],
    ['čechov', /Chekhov/],
    ['soljenitsyne', /^One Day/],
    ['tourgueniev', /^Fathers/],
    ['solschenizyn', /^One Day/],
    ['fyodor dostoyevsky the idiot', /^The Idiot/],
    ['don quijote', /^Don Quixote/],
    ['dao de jing', /^Tao Te Ching/],
  ],
  'in another language': [
    ['the little prince', /^Le Petit Prince/],
    ['cien anos de soledad', /^One Hundred/],
    ['война и мир', /^War and Peace/],
    ['源氏物語', /^The Tale of Genji/],
    ['die verwandlung', /^The Metamorphosis/],
    ['in search of lost time', /^Swann's Way/],
    ['notre-dame de paris', /^The Hunchback/],
    ['oedipus at colonus', /^The Three Theban/],
    ['shingeki no kyojin', /^Attack on Titan/],
    ['boku no hero', /^My Hero Academia/],
    ['鋼の錬金術師 3', /^Fullmetal Alchemist, Vol. 3/],
    ['わんぴーす', /^One Piece/],
    ['デスノート 2', /^Death Note, Vol. 2/],
    ['君の名は', /^your name/],
    ['edge of tomorrow', /^All You Need Is Kill/],
    ['枕草子 清少納言', /^The Pillow Book/],
    ['فردوسی شاهنامه', /^Shahnameh/],
  ],
  'by its ISBN, however it is written': [
    ['9780141439518', /^Pride and/],
    ['978-0-14-143951-8', /^Pride and/],
    ['978 0 14 143951 8', /^Pride and/],
    ['0-14-143951-3', /^Pride and/],
    ['ISBN: 0141439513', /^Pride and/],
    ['isbn13 9780141439518', /^Pride and/],
    ['isbn-13: 978-0141439518', /^Pride and/],
    ['978014143951', /^Pride and/],
    ['014143951', /^Pride and/],
    ['9780141439519', /^Pride and/],
  ],
  'with or without the articles': [
    ['hobbit', /^The Hobbit/],
    ['a brave new world', /^Brave New World/],
    ['catcher in rye', /^The Catcher/],
    ['the frankenstein', /^Frankenstein/],
    ['mill on floss', /^The Mill/],
    ['petit prince', /^Le Petit Prince/],
  ],
  'with what is no part of the title': [
    ['frankenstein paperback', /^Frankenstein/],
    ['dracula novel', /^Dracula/],
    ['jane eyre book', /^Jane Eyre/],
    ['pride and prejudice pdf', /^Pride and/],
    ['pride and prejudice (penguin classics)', /^Pride and/],
    ['crime and punishment by dostoevsky', /^Crime and/],
    ['bleach manga 10', /^Bleach, Vol. 10/],
  ],
  'as a question': [
    ['who wrote frankenstein', /^Frankenstein/],
    ['author of dracula', /^Dracula/],
    ['books by jane austen', /Jane Austen$/],
    ['what is the book pride and prejudice about', /^Pride and/],
    ['where to buy dracula', /^Dracula/],
    ['looking for a book called emma', /^Emma/],
  ],
  'with a wrong letter': [
    ['frankenstien', /^Frankenstein/],
    ['shakespear macbeth', /^Macbeth/],
    ['odysee', /^The Odyssey/],
    ['beowolf', /^Beowulf/],
    ['pride and predjudice austin', /^Pride and/],
    ['hemmingway', /Hemingway$/],
    ['cantebury tales', /^The Canterbury/],
    ['count of montecristo', /Monte Cristo/],
    ['lao tse', /^Tao Te Ching/],
    ['teh hobbit', /^The Hobbit/],
  ],
  'with a wrong word that is one': [
    ['a tail of two cities', /^A Tale of Two/],
    ['vanity fare', /^Vanity Fair/],
    ['the son also rises', /^The Sun Also/],
    ['grapes of rath', /^The Grapes/],
    ['far form the madding crowd', /^Far from/],
    ['the trail kafka', /^The Trial/],
    ['king leer', /^King Lear/],
    ['for whom the bells toll', /^For Whom/],
  ],
  'in another order': [
    ['prejudice and pride', /^Pride and/],
    ['orwell animal farm', /^Animal Farm/],
    ['anna tolstoy', /^Anna Karenina/],
    ['80 days around the world', /in Eighty Days/],
    ['rye catcher salinger', /^The Catcher/],
  ],
  'written out, or shortened': [
    ['strange case of doctor jekyll and mister hyde', /Jekyll/],
    ['doctor stone', /^Dr. Stone/],
    ['st exupery', /^Le Petit Prince/],
    ['naruto volume 1', /^Naruto, Vol. 1/],
  ],
}

describe.each(Object.entries(kinds))('%s', (_, questions) => {
  test.each(questions)('%s', (q, title) => {
    expect(first(q)).toMatch(title)
  })
})

test('finds nothing for words that no title has', () => {
  expect(first('zzyzx qwrtp')).toBe('nothing')
  expect(first('ferry qwrtp'), 'the fairy and the fury only sound like it').toBe('nothing')
  expect(first('ferry')).not.toBe('nothing')
})
