import { Link } from 'react-router'
import { t } from '#web/i18n/landing.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Cover } from '#web/ui/cover.tsx'
import type { LandingBook } from './landing-books.ts'

/** A cover that leads to its book's page. */
export function CoverLink(props: { book: LandingBook; priority?: boolean; className?: string }) {
  const { title, author, cover, href } = props.book
  return (
    <Link to={href} className={classNames('block rounded-cover', props.className)}>
      <Cover
        title={title}
        author={author}
        src={cover}
        alt={t('titleByAuthor', { title, author })}
        priority={props.priority}
      />
    </Link>
  )
}
