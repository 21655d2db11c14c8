import { foldWords } from '../text/fold.ts'
import { stem } from '../text/stem.ts'
import { isStopWord } from '../text/words.ts'

/**
 * Synonyms that readers and catalogues use, one concept a line. A word in two lines has two
 * meanings.
 */
const lists = `
wizard, wizards, witch, witches, witchcraft, sorcerer, sorceress, mage, magic, magical, magician, spell, spells
school, academy, classroom, pupil, student, classmate, class, teacher, boarding school, school life, college, university
coming of age, growing up, grow up, grows up, adolescence, bildungsroman, teenager, youth, childhood
orphan, orphaned, foundling, orphanage
vampire, vampires, bloodsucker, undead
ghost, ghosts, spirit, spirits, haunt, haunted, haunting, supernatural, apparition, poltergeist
horror, scary, terror, frightening, fear, creepy, terrifying
monster, monsters, creature, beast, demon, demons, ghoul
detective, sleuth, investigator, mystery, crime, whodunit, case, investigates, solve, solved
murder, murderer, murdered, kill, kills, killing, killed, killer, homicide, assassin
revenge, vengeance, avenge, avenges, vendetta, payback
war, wars, battle, battlefield, army, military, combat
soldier, recruit, infantry, troops, warrior, officer
pilot, airman, airmen, aviator, bombardier, flying
ship, ships, sea, ocean, sailor, voyage, sails, sailing, sail, boat, naval, seafaring, maritime
shipwreck, shipwrecked, castaway, stranded, wreck, marooned
pirate, pirates, buccaneer, buccaneers
island, islands, desert island
whale, whales, whaler, whaling
hunt, hunts, hunting, hunter, hunted, chase, quest
space, planet, planets, galaxy, spaceship, outer space, science fiction
alien, aliens, extraterrestrial, martian, mars
robot, robots, android, cyborg, machine, artificial intelligence, mecha
future, futuristic, years ahead
time travel, time machine, travels through time
time loop, same day, day starts over, morning again
dystopia, dystopian, totalitarian, surveillance, oppressive, watches, big brother, government control
apocalypse, apocalyptic, end of the world, post apocalyptic, civilisation, civilization
science, scientist, inventor, experiment, laboratory, surgeon
love, romance, romantic, love story, lover, lovers, beloved, courtship, falls in love
marriage, marry, marries, married, wedding, bride, husband, wife, engaged, proposal
affair, adultery, infidelity, unfaithful
family, families, saga, generations, parents, siblings
sister, sisters
brother, brothers
father, dad
mother, mum
son, sons, boy
daughter, daughters, girl
child, children, kid, kids, boy, girl
funny, humour, humor, humorous, comedy, comic, hilarious, satire
satire, satirical, parody, irony
sad, tragedy, tragic, heartbreaking
depression, depressed, despair, melancholy, loneliness, lonely, alienation
king, kings, queen, prince, princess, crown, throne, royal, royalty, monarch
politics, political, government, state, ruler, rulers, power
revolution, revolutionary, uprising, rebellion, terror
strike, union, workers, labour, labor
prison, prisoner, jail, imprisoned, camp, convict, gaol
escape, escapes, escaping, flee, runaway, runs away
slave, slavery, enslaved, slaves
race, racism, racist, black, segregation, prejudice
rich, wealthy, wealth, fortune, money
poor, poverty, penniless, hunger, starving
class, social class, society, social novel
governess, tutor, nanny
servant, maid, butler, housekeeper
doctor, physician, medicine, medical
disease, epidemic, plague, illness, pandemic, sickness, quarantine, ill, sick
poison, poisons, poisoned
lawyer, court, trial, attorney, law, lawsuit
trial, arrested, arrest, accused, charge
police, policeman, cop, policemen
spy, spies, espionage, secret agent
thief, thieves, burglar, robber, stolen, theft
treasure, gold, map, fortune
dragon, dragons
dwarf, dwarves, elf, elves, hobbit, hobbits
fantasy, magic, magical, fairy tale
fairy tale, fairy tales, folklore, folk tales, fable, fables
myth, mythology, myths, legend, gods
knight, knights, chivalry, medieval, crusades
samurai, swordsman, sword, shogun, ronin
ninja, ninjas, shinobi
viking, vikings, norse
superhero, hero, heroes, superpower
game, games, video game, online game, players, virtual
trapped, locked, no way out
another world, other world, isekai, parallel world
cooking, cook, food, chef, kitchen, restaurant, bread, baking, eats
music, musician, musicians, band, song, songs, singer, pop star
sport, sports, team, volleyball, football, basketball, baseball
school bullying, bullying, bully, bullied, misery
deaf, sign language
shy, silent, quiet, introvert
apartment, flat, roommates
dog, dogs, puppy
wolf, wolves
horse, horses, pony
animal, animals, nature, wilderness, wild
wilderness, frozen, north, alaska, arctic, wild
arctic, antarctic, polar, ice, north pole, south pole
expedition, explorer, explorers, exploration
mountain, mountains, alps, himalaya, summit, peak
forest, woods, jungle, wood, trees
farm, farmer, farmers, ranch, rural
garden, gardens
village, town, small town, provincial
city, urban
nature, outdoors, simple life, cabin
bomb, bombing, atomic bomb, nuclear, hiroshima, explosion
civil war, war
philosophy, philosophical, ethics, stoic, stoicism, wisdom
emperor, caesar, roman
rome, roman, romans
greece, greek, athens, troy, trojan
russia, russian, moscow, petersburg, soviet
france, french, paris
england, english, britain, british, london, victorian
japan, japanese, tokyo, kyoto, osaka
china, chinese
india, indian
america, american, united states
religion, religious, faith, god, church, priest
christmas, christmas eve, xmas
hell, devil, satan, inferno, underworld
bargain, deal, pact, wager, bet, contract
double life, split personality, double personality, second self, alter ego
party, parties, ball, feast
insect, insects, bug, beetle
portrait, painting, picture
old, ages, age, aging, elderly
memoir, autobiography, life story, diary, biography
letters, diary, epistolary
short stories, short story, tales, stories
poem, poems, poetry, verse
play, plays, drama, theatre, theater
evolution, species, natural selection, living things, naturalist
strategy, tactics, winning, enemy
body swap, body, swap, bodies, each other's lives
manga, comic, comics, graphic novel
young, boy, girl, teenager
submarine, under the sea, underwater
travel, travels, journey, travelling, traveling, voyage
guilt, guilty, conscience, remorse
ambition, ambitious
savage, savagery, wild, afraid
secret, hidden, locked
miser, greedy, greed, stingy
immortal, immortality, eternal life, never ages
insane, madness, mad, mental illness, crazy
feud, feuding, enemies, enemy, rival, rivals
enemies to lovers, hate to love, misjudge, misunderstanding
manners, comedy of manners, regency, ball, suitor, suitors
house, mansion, manor, home
wall, walls, walled
giant, giants, titan, titans
`

/** One expression of a concept: stems that must be adjacent. */
export type Phrase = readonly string[]

interface Concepts {
  /** The other expressions of a concept, by the stems of one, joined by spaces. */
  also: ReadonlyMap<string, Phrase[]>
  /** The number of words in the longest expression. */
  longest: number
}

let made: Concepts | undefined

/** @returns the expressions of each concept, parsed on first use */
export function concepts(): Concepts {
  made ??= read()
  return made
}

function read(): Concepts {
  const also = new Map<string, Phrase[]>()
  let longest = 1
  for (const line of lists.trim().split('\n')) {
    const sayings = new Map(
      line.split(',').map((words) => {
        // Texts and queries are read without stop words too.
        const saying = foldWords(words)
          .filter((word) => !isStopWord(word))
          .map(stem)
        return [saying.join(' '), saying]
      }),
    )
    for (const [name, saying] of sayings) {
      longest = Math.max(longest, saying.length)
      const others = [...sayings].filter(([other]) => other !== name).map(([, other]) => other)
      also.set(name, [...(also.get(name) ?? []), ...others])
    }
  }
  return { also, longest }
}
