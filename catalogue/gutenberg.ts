import { sameBookKeys } from './sources/merge.ts'

/**
 * Project Gutenberg's numbers of well-known books in the public domain, so that free copies are
 * offered before any catalogue is asked. A line has number, title and author.
 */
const books = `
11 Alice's Adventures in Wonderland | Lewis Carroll
16 Peter Pan | J. M. Barrie
27 Far from the Madding Crowd | Thomas Hardy
33 The Scarlet Letter | Nathaniel Hawthorne
35 The Time Machine | H. G. Wells
36 The War of the Worlds | H. G. Wells
43 The Strange Case of Dr Jekyll and Mr Hyde | Robert Louis Stevenson
43 Strange Case of Dr Jekyll and Mr Hyde | Robert Louis Stevenson
45 Anne of Green Gables | L. M. Montgomery
46 A Christmas Carol | Charles Dickens
55 The Wonderful Wizard of Oz | L. Frank Baum
74 The Adventures of Tom Sawyer | Mark Twain
76 Adventures of Huckleberry Finn | Mark Twain
76 The Adventures of Huckleberry Finn | Mark Twain
84 Frankenstein | Mary Shelley
98 A Tale of Two Cities | Charles Dickens
103 Around the World in Eighty Days | Jules Verne
105 Persuasion | Jane Austen
110 Tess of the d'Urbervilles | Thomas Hardy
113 The Secret Garden | Frances Hodgson Burnett
120 Treasure Island | Robert Louis Stevenson
121 Northanger Abbey | Jane Austen
132 The Art of War | Sun Tzu
135 Les Misérables | Victor Hugo
141 Mansfield Park | Jane Austen
145 Middlemarch | George Eliot
153 Jude the Obscure | Thomas Hardy
158 Emma | Jane Austen
160 The Awakening | Kate Chopin
161 Sense and Sensibility | Jane Austen
174 The Picture of Dorian Gray | Oscar Wilde
205 Walden | Henry David Thoreau
209 The Turn of the Screw | Henry James
215 The Call of the Wild | Jack London
219 Heart of Darkness | Joseph Conrad
236 The Jungle Book | Rudyard Kipling
271 Black Beauty | Anna Sewell
289 The Wind in the Willows | Kenneth Grahame
345 Dracula | Bram Stoker
514 Little Women | Louisa May Alcott
521 Robinson Crusoe | Daniel Defoe
541 The Age of Innocence | Edith Wharton
600 Notes from Underground | Fyodor Dostoevsky
730 Oliver Twist | Charles Dickens
766 David Copperfield | Charles Dickens
768 Wuthering Heights | Emily Brontë
829 Gulliver's Travels | Jonathan Swift
910 White Fang | Jack London
969 The Tenant of Wildfell Hall | Anne Brontë
996 Don Quixote | Miguel de Cervantes
1023 Bleak House | Charles Dickens
1184 The Count of Monte Cristo | Alexandre Dumas
1232 The Prince | Niccolò Machiavelli
1257 The Three Musketeers | Alexandre Dumas
1260 Jane Eyre | Charlotte Brontë
1342 Pride and Prejudice | Jane Austen
1399 Anna Karenina | Leo Tolstoy
1400 Great Expectations | Charles Dickens
1497 The Republic | Plato
1661 The Adventures of Sherlock Holmes | Arthur Conan Doyle
1952 The Yellow Wallpaper | Charlotte Perkins Gilman
2413 Madame Bovary | Gustave Flaubert
2554 Crime and Punishment | Fyodor Dostoevsky
2591 Grimms' Fairy Tales | Jacob Grimm
2600 War and Peace | Leo Tolstoy
2638 The Idiot | Fyodor Dostoevsky
2680 Meditations | Marcus Aurelius
2701 Moby-Dick | Herman Melville
2814 Dubliners | James Joyce
2852 The Hound of the Baskervilles | Arthur Conan Doyle
4217 A Portrait of the Artist as a Young Man | James Joyce
4300 Ulysses | James Joyce
4517 Ethan Frome | Edith Wharton
5200 Metamorphosis | Franz Kafka
5200 The Metamorphosis | Franz Kafka
5230 The Invisible Man | H. G. Wells
7849 The Trial | Franz Kafka
19942 Candide | Voltaire
28054 The Brothers Karamazov | Fyodor Dostoevsky
64317 The Great Gatsby | F. Scott Fitzgerald
`

const numbers = new Map(
  books
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, number = '', title = '', author = ''] = /^(\d+) (.+) \| (.+)$/.exec(line) ?? []
      return sameBookKeys({ isbns: {}, title, authors: [author] }).map(
        (key) => [key, number] as const,
      )
    }),
)

/** @returns a book's number at Project Gutenberg, if it is in the list */
export function gutenbergNumber(title: string, author: string): string | undefined {
  const keys = sameBookKeys({ isbns: {}, title, authors: [author] })
  return keys.map((key) => numbers.get(key)).find((number) => number !== undefined)
}
