/** Most are mistyped, which takes the longest to answer; each is asked for once. */
const titles = ['pride and predjudice', 'the grate gatzby', 'wuthering hights', 'huckelberry fin']
const words = ['love', 'the', 'history of', 'war', 'stories from']

/**
 * @param name makes the question new
 * @returns the path of the n-th question
 */
export function searchPath(n: number, name: string): string {
  const text = `${words[n % words.length]} ${titles[n % titles.length]} ${name}${n}`
  return `/api/v1/book-info/search?q=${encodeURIComponent(text)}`
}
