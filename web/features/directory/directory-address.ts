import { directorySorts, minSearchLength, type DirectorySort } from '#shared/directory.ts'
import { cutText } from '#shared/text.ts'

/** The query of the directory's address. */
export interface DirectoryAddress {
  /** The text in the search box. */
  text: string
  /** The search: the text, once it is long enough. */
  q: string
  sort: DirectorySort
}

/**
 * Reads the directory's address; what it cannot mean is left out.
 *
 * @param isReader whether somebody is signed in: a visitor has no taste that could be compared
 */
export function readDirectory(params: URLSearchParams, isReader: boolean): DirectoryAddress {
  const text = cutText((params.get('q') ?? '').trim(), 255)
  const asked = directorySorts.find((sort) => sort === params.get('sort')) ?? 'newest'
  return {
    text,
    q: [...text].length < minSearchLength ? '' : text,
    sort: asked === 'similar' && !isReader ? 'newest' : asked,
  }
}

/** @returns the address's parameters; what is usual is left out */
export function writeDirectory({ text, sort }: Pick<DirectoryAddress, 'text' | 'sort'>) {
  return {
    ...(text.trim() && { q: text.trim() }),
    ...(sort !== 'newest' && { sort }),
  }
}
