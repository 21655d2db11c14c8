import { readFileSync } from 'node:fs'

/** A query in plain language, and the starter books that should answer it. */
interface DescribedBook {
  q: string
  /** Beginnings of titles; any of them counts. */
  wanted: readonly string[]
}

const judged: [string, ...string[]][] = [
  ['coming of age at a wizard school', 'Witch Hat Atelier', 'Fairy Tail'],
  ['sailor obsessed with hunting a whale', 'Moby-Dick'],
  ['orphan girl becomes a governess', 'Jane Eyre', 'Agnes Grey'],
  ['monster created by a scientist', 'Frankenstein'],
  ['vampire count travels to England', 'Dracula'],
  ['a dystopia about surveillance and government control', 'Nineteen Eighty-Four'],
  ['detective novel with Sherlock Holmes and a family curse', 'The Hound of the Baskervilles'],
  ['man turned into a giant insect', 'The Metamorphosis'],
  ['shipwrecked man alone on an island', 'Robinson Crusoe'],
  ['boys stranded on an island turn savage', 'Lord of the Flies'],
  ['pirates and buried treasure', 'Treasure Island', 'One Piece'],
  ['a portrait that grows old instead of its owner', 'The Picture of Dorian Gray'],
  ['submarine voyage under the ocean', 'Twenty Thousand Leagues'],
  ['travelling through time to the distant future', 'The Time Machine'],
  ['aliens from Mars invade', 'The War of the Worlds'],
  ['a miser visited by ghosts at Christmas', 'A Christmas Carol'],
  ['prisoner escapes and takes revenge', 'The Count of Monte Cristo'],
  ['coal miners on strike in France', 'Germinal'],
  ['epidemic in a quarantined town', 'The Plague'],
  [
    'a murder and the guilt that follows, in Russia',
    'Crime and Punishment',
    'The Brothers Karamazov',
  ],
  ['married woman has an affair with an army officer', 'Anna Karenina'],
  ['bored wife of a provincial doctor runs into debt', 'Madame Bovary'],
  ['dog in the Alaskan wilderness', 'The Call of the Wild', 'White Fang'],
  ['a child raised by wolves in the jungle', 'The Jungle Books'],
  ['dust bowl farmers move to California', 'The Grapes of Wrath'],
  ['lawyer father defends an innocent black man', 'To Kill a Mockingbird'],
  ['slave who learned to read', 'Narrative of the Life of Frederick Douglass'],
  ['funny war novel about airmen', 'Catch-22'],
  ['bombing of Dresden', 'Slaughterhouse-Five'],
  ['magical realism about generations of one family', 'One Hundred Years of Solitude'],
  ['haunted house horror manga', 'Ju-On', 'The Ring', 'Museum of Terror', 'Uzumaki'],
  ['notebook that kills people', 'Death Note'],
  ['ninja boy in a village', 'Naruto'],
  ['volleyball team at high school', 'Haikyu!!'],
  ['manga about cooking', 'Food Wars', 'Yakitate!! Japan', 'Delicious in Dungeon'],
  ['trapped inside a video game', 'Sword Art Online', 'Overlord'],
  ['soldier lives the same day over and over', 'All You Need Is Kill', 'Re:ZERO'],
  ['vikings and vengeance', 'Vinland Saga'],
  ['giants attack a walled city', 'Attack on Titan'],
  ['bullying of a deaf girl', 'A Silent Voice'],
  ['Hiroshima atomic bomb', 'Barefoot Gen'],
  ['robot detective investigates', 'Pluto'],
  ['cyborg police in the future', 'The Ghost in the Shell', 'Ghost in the Shell 2'],
  ['samurai with his little son', 'Lone Wolf and Cub'],
  ['girl musicians sharing an apartment', 'Nana'],
  ['shy girl who cannot speak to her classmates', 'Komi', 'Kimi ni Todoke'],
  ['spy pretends to have a family', 'Spy x Family'],
  ['superhero who wins with one blow', 'One-Punch Man'],
  ['life in a Soviet prison camp', 'One Day in the Life of Ivan Denisovich'],
  ['a knight who read too many books about chivalry', 'Don Quixote'],
  ['journey through hell', 'Inferno', 'The Divine Comedy'],
  ['Greek hero sails home after the Trojan war', 'The Odyssey'],
  ['prince avenges his murdered father', 'Hamlet'],
  ['ambitious couple murders a king', 'Macbeth'],
  ['young lovers from enemy families', 'Romeo and Juliet'],
  ['ancient Roman ruler on how to live, stoic philosophy', 'Meditations'],
  ['how to gain and hold political power', 'The Prince'],
  ['living simply in the woods', 'Walden'],
  ['a hobbit and dwarves against a dragon', 'The Hobbit'],
  ['red haired orphan on a farm', 'Anne of Green Gables'],
  ['a horse tells the story of its life', 'Black Beauty'],
  ['hidden garden and a sick child', 'The Secret Garden'],
  ['body swap between a boy and a girl', 'your name.', 'Your and My Secret'],
  [
    'love story about social class and misunderstanding',
    'Pride and Prejudice',
    'Emma',
    'Persuasion',
  ],
  ['sisters growing up while father is in the civil war', 'Little Women'],
  ['new bride haunted by her husband’s first wife', 'Rebecca'],
  ['theory of evolution', 'The Origin of Species'],
  ['military strategy from ancient China', 'The Art of War'],
  ['nurse or maid in Victorian England, manga romance', 'Emma, Vol'],
  ['poison expert in a palace solves mysteries', 'The Apothecary Diaries'],
  ['slave escapes on a raft along the Mississippi', 'The Adventures of Huckleberry Finn'],
  ['French revolution and sacrifice', 'A Tale of Two Cities', 'The Scarlet Pimpernel'],
  ['arctic expedition gone wrong', 'At the Mountains of Madness'],
  ['a knight who fights windmills', 'Don Quixote'],
  ['haunted governess sees ghosts', 'The Turn of the Screw'],
  ['time loop', 'Re:ZERO', 'All You Need Is Kill'],
  ['deal with the devil', 'Faust', 'Diabolo'],
  ['a doctor with a double personality', 'Strange Case of Dr Jekyll'],
  ['man wakes up and is on trial for no reason', 'The Trial'],
  ['teenager wandering new york alone', 'The Catcher in the Rye'],
  ['a boy and a runaway slave on a raft', 'The Adventures of Huckleberry Finn'],
  ['mad king divides his kingdom between daughters', 'King Lear'],
  ['girl swaps bodies with a boy', 'your name.', 'Your and My Secret'],
  ['french revolution aristocrats guillotine', 'The Scarlet Pimpernel', 'A Tale of Two Cities'],
  ['old man goes fishing', 'The Old Man and the Sea'],
  ['scientist turns himself invisible', 'The Invisible Man'],
  ['enemies to lovers in regency england', 'Pride and Prejudice'],
  ['rich man throws parties for a lost love', 'The Great Gatsby'],
]

/**
 * Written for the starter catalogue, in the words of people who remember what a book is about but
 * not its title.
 */
export const describedBooks: readonly DescribedBook[] = judged.map(([q, ...wanted]) => ({
  q,
  wanted,
}))

const places = 10
const gain = (place: number) => 1 / Math.log2(place + 2)

/**
 * Measures a search by description on its first ten books.
 *
 * @param ask returns titles for a query, best first
 * @param asked the descriptions with their books; all of them unless given
 * @returns the share of queries with a right book among the ten, and nDCG@10
 */
export function judgeDescribed(
  ask: (q: string) => string[],
  asked = describedBooks,
): { success: number; ndcg: number } {
  let [success, ndcg] = [0, 0]
  for (const { q, wanted } of asked) {
    const missing = new Set(wanted)
    const gains = ask(q)
      .slice(0, places)
      .map((title, place) => {
        const right = [...missing].find((start) => title.startsWith(start))
        if (right === undefined) return 0
        missing.delete(right)
        return gain(place)
      })
    const sum = gains.reduce((all, each) => all + each, 0)
    if (sum > 0) success += 1
    ndcg += sum / wanted.slice(0, places).reduce((all, _, place) => all + gain(place), 0)
  }
  return { success: success / asked.length, ndcg: ndcg / asked.length }
}

/** A query and the books that answer it. */
export interface Question {
  q: string
  /** Beginnings of titles; any of them counts. */
  wanted: string[]
  /** Further true details of the book. */
  details?: string[]
}

/** @returns the queries of a file next to this one */
export function questionsOf(name: string): Question[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as Question[]
}

/** @returns the rank of the first right title; Infinity if there is none */
export function placeAmong(titles: readonly string[], { wanted }: Question): number {
  const place = titles.findIndex((title) => wanted.some((start) => title.startsWith(start)))
  return place < 0 ? Infinity : place
}

/** @returns the share of ranks below a limit, 0 to 1 */
export function shareBelow(places: readonly number[], below: number): number {
  return places.filter((place) => place < below).length / places.length
}
