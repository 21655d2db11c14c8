const local = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const host =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\u200C-\u200D\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]{2,63}$/u

/**
 * The record service's own rule, so that whoever has an account can sign in on the screens; a test
 * compares the two.
 *
 * @returns whether the text has the form of an email address, of at most 255 characters
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return (
    text.length <= 255 &&
    at > 0 &&
    at <= 64 &&
    local.test(text.slice(0, at)) &&
    host.test(text.slice(at + 1))
  )
}

/**
 * @returns an email address as it was meant: with full-width characters, as a Japanese keyboard has
 *   them, as the others, and without invisible ones at its ends, which come along with a copied one
 */
export const typedEmail = (text: string): string =>
  text
    .replaceAll(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/[。｡]/g, '.')
    .replaceAll(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
