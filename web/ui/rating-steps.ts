export const ratingStep = 0.5
export const ratingMax = 10

function bounded(value: number): number {
  return Math.min(ratingMax, Math.max(0, value))
}

/** What a key makes of a rating, or null when the key has no meaning here. */
export function ratingAfterKey(key: string, value: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return bounded((Math.floor(value / ratingStep) + 1) * ratingStep)
    case 'ArrowLeft':
    case 'ArrowDown':
      return bounded((Math.ceil(value / ratingStep) - 1) * ratingStep)
    case 'PageUp':
      return bounded(value + 2)
    case 'PageDown':
      return bounded(value - 2)
    case 'Home':
    case 'Delete':
    case 'Backspace':
    case '0':
      return 0
    case 'End':
      return ratingMax
    default:
      return /^[1-9]$/.test(key) ? Number(key) : null
  }
}

/** '7.5', '8': no needless decimals. */
export function formatRating(value: number): string {
  return String(Math.round(value * 10) / 10)
}
