import { foldText } from '#shared/text.ts'
import type { Status } from '#shared/user-book.ts'

/** Words that trackers and readers use for a status, in Octavo's languages and some others. */
const words: Record<Status, readonly string[]> = {
  completed: [
    [
      'read but unowned',
      'read',
      'already read',
      'finished',
      'finished reading',
      'have read',
      'completed',
      'complete',
    ],
    ['done', 'gelesen', 'beendet', 'abgeschlossen', 'fertig', 'lu', 'lue', 'déjà lu', 'terminé'],
    ['leído', 'terminado', 'acabado', 'lido', 'já lido', 'concluído', 'finalizado'],
    ['読了', '読んだ', '読んだ本', '既読', '読み終わった', '読み終わった本'],
    ['مقروء', 'قرأته', 'تمت قراءته', 'تمت القراءة', 'منتهي', 'letto', 'gelezen'],
  ].flat(),
  reading: [
    ['currently reading', 'reading', 'reading now', 'in progress', 'started', 'rereading'],
    ['lese ich gerade', 'lese gerade', 'am lesen', 'wird gelesen', 'en cours', 'en lecture'],
    ['en cours de lecture', 'lecture en cours', 'leyendo', 'en curso', 'en lectura', 'lendo'],
    ['a ler', 'em leitura', 'em andamento', '読書中', '読んでる', '読んでる本', '読んでいる'],
    ['読んでいる本', '今読んでいる', 'أقرؤه', 'أقرأه الآن', 'أقرأ حاليا', 'قيد القراءة'],
    ['in lettura', 'aan het lezen'],
  ].flat(),
  planning: [
    ['to read', 'want to read', 'tbr', 'to be read', 'to be reader', 'to be read list', 'wishlist'],
    [
      'wish list',
      'backlog',
      'not started',
      'unread',
      'not read',
      'planned',
      'planning',
      'plan to read',
    ],
    ['for later', 'up next', 'zu lesen', 'ungelesen', 'noch nicht gelesen', 'will ich lesen'],
    ['möchte ich lesen', 'geplant', 'wunschliste', 'sub', 'à lire', 'envie de lire', 'non lu'],
    [
      'pas lu',
      'por leer',
      'para leer',
      'pendiente',
      'quiero leer',
      'no leído',
      'para ler',
      'por ler',
    ],
    ['quero ler', 'não lido', '積読', '読みたい', '読みたい本', '未読', 'أريد قراءته', 'للقراءة'],
    ['غير مقروء', 'لم يقرأ', 'da leggere', 'te lezen'],
  ].flat(),
  dropped: [
    [
      'did not finish',
      'didn’t finish',
      'dnf',
      'stopped reading',
      'stopped',
      'dropped',
      'abandoned',
    ],
    ['unfinished', 'gave up', 'given up', 'quit', 'abgebrochen', 'nicht beendet', 'abandonné'],
    ['abandonado', 'desisti', '挫折', '読むのをやめた', '読むのをやめた本', 'تركته', 'متروك'],
  ].flat(),
  paused: [
    ['paused', 'on hold', 'hiatus', 'pausiert', 'unterbrochen', 'en pause', 'en pausa', 'pausado'],
    [
      'em pausa',
      '中断',
      '中断中',
      '一時停止',
      '保留',
      'متوقف',
      'متوقف مؤقتا',
      'in pausa',
      'gepauzeerd',
    ],
  ].flat(),
}

const fold = (text: string) => foldText(text).replaceAll(' ', '')

const statuses = new Map(
  Object.entries(words).flatMap(([status, all]) =>
    all.map((word) => [fold(word), status as Status]),
  ),
)

/** Characters of the longest word, with some to spare. */
const longest = 60

/** @returns '' for an unknown word */
export const statusOf = (text = ''): Status | '' =>
  text.length > longest ? '' : (statuses.get(fold(text)) ?? '')

/** Words that tasks, films, games, mail or shops use, too. */
const general = new Set(
  [
    ['finished', 'completed', 'complete', 'done', 'beendet', 'abgeschlossen', 'fertig', 'terminé'],
    ['terminado', 'acabado', 'concluído', 'finalizado', 'منتهي', 'in progress', 'started'],
    ['en cours', 'en curso', 'em andamento', 'wishlist', 'wish list', 'wunschliste', 'backlog'],
    ['not started', 'unread', 'planned', 'planning', 'for later', 'up next', 'geplant'],
    ['pendiente', 'stopped', 'dropped', 'abandoned', 'unfinished', 'gave up', 'given up', 'quit'],
    ['abgebrochen', 'nicht beendet', 'abandonné', 'abandonado', 'desisti', '挫折', 'تركته'],
    ['متروك'],
  ]
    .flat()
    .map(fold),
)

/** @returns whether a word is a status that only a reader's book has */
export const isStatusOfReaders = (text: string): boolean =>
  !['', 'paused'].includes(statusOf(text)) && !general.has(fold(text))
