import { Link } from 'react-router'
import { authorPath } from '#shared/series.ts'
import { comma } from '#web/i18n/format.ts'
import { filterQuery } from './search-address.ts'

/**
 * The authors' names, as links to their pages.
 *
 * @param props.ids of the authors, by place; those without one, which the catalogue has no page of,
 *   lead to a search
 */
export function AuthorLinks(props: { authors: readonly string[]; ids: readonly string[] }) {
  const { authors, ids } = props
  return authors.map((author, place) => (
    <span key={author}>
      {place > 0 ? comma() : null}
      <Link
        to={authorAddress(author, ids[place])}
        className="rounded-cover underline-offset-4 hover:underline"
      >
        <bdi>{author}</bdi>
      </Link>
    </span>
  ))
}

const authorAddress = (name: string, id: string | undefined) =>
  id ? authorPath({ id, name }) : `/explore?${filterQuery({ author: name })}`
