/**
 * Polyfills of language features that Safari 16.4, Firefox 115 and Chrome 111 lack, for our code
 * and libraries.
 */

type Resolvers = { promise: unknown; resolve: unknown; reject: unknown }

/** Adds a function to an object of the language that does not have it. */
function add(to: object, name: string, value: (...args: never[]) => unknown): void {
  if (name in to) return
  Object.defineProperty(to, name, { value, writable: true, configurable: true })
}

function parse(address: string | URL, base?: string | URL): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}

add(URL, 'parse', parse)
add(URL, 'canParse', (address: string | URL, base?: string | URL) => parse(address, base) !== null)

add(Promise, 'withResolvers', (): Resolvers => {
  const made: Partial<Resolvers> = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made as Resolvers
})

add(
  Map,
  'groupBy',
  (items: Iterable<unknown>, keyOf: (item: unknown, place: number) => unknown) => {
    const groups = new Map<unknown, unknown[]>()
    let place = 0
    for (const item of items) {
      const key = keyOf(item, place++)
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
    return groups
  },
)

// Half of a pair of surrogates, which is no character.
const halves = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

add(String.prototype, 'toWellFormed', function (this: string) {
  return this.replace(halves, '\uFFFD')
})
add(String.prototype, 'isWellFormed', function (this: string) {
  return this.search(halves) < 0
})

// WebKitGTK crashes on the way back from a page that a cover grew into; the page then just appears.
if (
  typeof document === 'object' &&
  /Linux(?!.*Android).*AppleWebKit(?!.*Chrom)/.test(navigator.userAgent)
)
  Object.defineProperty(document, 'startViewTransition', { value: undefined })
