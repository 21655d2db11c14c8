import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldTitle, foldWords, indexText, separator } from './fold.ts'

/** Whether every word of a query stands in what is indexed for a title. */
function finds(query: string, title: string): boolean {
  const indexed = new Set(indexText(title).split(' '))
  const words = foldWords(query)
  return words.length > 0 && words.every((word) => indexed.has(word))
}

describe('a title is found as readers of its language type it', () => {
  test.each([
    ['English, apostrophe left out', 'sorcerers stone', 'The Sorcerer’s Stone'],
    ['English, apostrophe as a space', 'don quixote knight', "Don Quixote's Knight"],
    ['English, hyphen left out', 'moby dick', 'Moby-Dick'],
    ['English, hyphened word joined', 'mobydick', 'Moby-Dick'],
    ['English, number joined', 'catch22', 'Catch-22'],
    ['English, number apart', 'catch 22', 'Catch-22'],
    ['English, ampersand', 'sense & sensibility', 'Sense and Sensibility'],
    ['English, short for volume', 'berserk volume 3', 'Berserk, Vol. 3'],
    ['English, thousands', '20000 leagues', '20,000 Leagues'],
    ['initials joined', 'jrr tolkien', 'J.R.R. Tolkien'],
    ['initials apart', 'j r r tolkien', 'J.R.R. Tolkien'],
    ['initials with full stops', 'J. K. Jerome', 'J.K. Jerome'],
    ['French, accents left out', 'les miserables', 'Les Misérables'],
    ['French, elided article left out', 'etranger', "L'Étranger"],
    ['French, elided article joined', 'letranger', 'L’Étranger'],
    ['French, ligature', 'coeur simple', 'Un cœur simple'],
    ['German, umlaut left out', 'die bucher', 'Die Bücher'],
    ['German, umlaut spelled out', 'buecher', 'Die Bücher'],
    ['German, sharp s', 'strasse', 'Straße'],
    ['Spanish', 'cien anos de soledad', 'Cien años de soledad'],
    ['Portuguese', 'memorias postumas de bras cubas', 'Memórias póstumas de Brás Cubas'],
    ['Italian', 'perche leggere', 'Perché leggere'],
    ['Polish', 'lodz', 'Łódź'],
    ['Norwegian', 'sult og brod', 'Sult og brød'],
    ['Afrikaans, one letter for two', 'ʼn huis', 'ŉ huis'],
    ['Turkish, dotless i', 'kirmizi sacli kadin', 'Kırmızı Saçlı Kadın'],
    ['Turkish, capital dotted i', 'istanbul', 'İSTANBUL'],
    ['Russian, yo', 'все еще', 'Всё ещё'],
    ['Russian, upper case', 'ВОЙНА И МИР', 'Война и мир'],
    ['Greek, final sigma and accent', 'οδυσσεασ', 'Οδυσσέας'],
    ['Persian, Arabic keyboard', 'كليدر', 'کلیدر'],
    ['Persian, joiner as a space', 'سه شنبه ها', 'سه‌شنبه‌ها'],
    ['Persian, joiner left out', 'سهشنبهها', 'سه‌شنبه‌ها'],
    ['Arabic, vowels left out', 'كتاب', 'كِتَاب'],
    ['Arabic, hamza left out', 'احمد', 'أحمد'],
    ['Arabic, article left out', 'ايام', 'الأيام'],
    ['Arabic, digits', '1001 ليلة', '١٠٠١ ليلة'],
    ['Hindi, nukta left out', 'गोदान बाजार', 'गोदान बाज़ार'],
    ['Hindi, nasal mark', 'चांद', 'चाँद'],
    ['Japanese, part of the title', '人間', '人間失格'],
    ['Japanese, kana of either kind', 'のるうぇい', 'ノルウェイの森'],
    ['Japanese, half width', 'ﾉﾙｳｪｲの森', 'ノルウェイの森'],
    ['Chinese, without spaces', '红楼', '红楼梦'],
    ['Korean, part of the title', '채식', '채식주의자'],
    ['Korean, without the space', '어린왕자', '어린왕자'],
    ['Chinese, full-width digits', '1984', '１９８４'],
    ['Chinese, one character', '雪', '雪'],
    ['Japanese, long vowel mark', 'ハリー', 'ハリー・ポッター'],
    ['Japanese, full-width letters', 'NARUTO', 'ＮＡＲＵＴＯ 巻ノ一'],
    ['Japanese, voiced kana in two parts', 'ガラス', 'ガラスの仮面'],
    ['Russian, short i without its mark', 'Толстои', 'Толстой'],
    ['Russian, hyphened word', 'кто то', 'Кто-то'],
    ['Arabic, alef with madda', 'الاسود', 'الآسود'],
    ['Arabic, ta marbuta as ha', 'مدينه', 'مدينة'],
    ['Arabic, stretched letters', 'كتاب', 'كـــتاب'],
    ['Persian, digits', '۱۰۰ سال', '100 سال'],
    ['Persian, ye of Arabic', 'بوف کور', 'بوف كور'],
    ['Hindi, digits', '१९८४', '1984'],
    ['Hindi, joiner', 'क्ष', 'क्‍ष'],
    ['Turkish, cedilla and breve', 'aska dair dag', 'Aşka Dair Dağ'],
    ['Turkish, upper case', 'KIRMIZI', 'kırmızı'],
    ['Portuguese, tilde', 'sao bernardo', 'São Bernardo'],
    ['Spanish, question mark', 'quien mato', '¿Quién mató?'],
    ['Italian, elision', 'isola di arturo', "L'isola di Arturo"],
    ['Italian, elision joined', 'lisola', "L'isola di Arturo"],
    ['German, upper case sharp s', 'GROSSE', 'GROẞE Erwartungen'],
    ['French, upper case with cedilla', 'GARCON', 'Garçon'],
    ['French, hyphen', 'rendez vous', 'Rendez-vous'],
    ['French, quotation marks', 'etre', '« Être »'],
  ])('%s', (_, query, title) => {
    expect(finds(query, title)).toBe(true)
  })

  test.each([
    ['another word', 'austin', 'Jane Austen'],
    ['Hindi vowel signs are letters', 'कमल', 'कामिल'],
    ['Japanese characters that are not neighbours', '人格', '人間失格'],
    ['only the start of a word', 'frank', 'Frankenstein'],
  ])('but not %s', (_, query, title) => {
    expect(finds(query, title)).toBe(false)
  })
})

describe('folding', () => {
  test('leaves letters, digits, marks and single spaces, and does not change twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldTitle(text)
        expect(folded).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?: [\p{L}\p{N}\p{M}]+)*)?$/u)
        expect(foldTitle(folded)).toBe(folded)
      }),
    )
  })

  test('finds every title by itself, in upper and in lower case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (title) => {
        fc.pre(foldTitle(title) !== '')
        expect(finds(title, title)).toBe(true)
      }),
    )
  })

  test('never lets a reader write the separator', () => {
    expect(foldWords(`a${separator}b`)).toEqual(['a', 'b'])
  })
})
