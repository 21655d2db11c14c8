import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { t } from '#web/i18n/landing.ts'
import { exampleSearch, type LandingBook } from './landing-books.ts'

/** An example search with its results; any other search opens Explore. */
export function SearchDemo({ found }: { found: LandingBook | null }) {
  return (
    <>
      <form action="/explore" className="flex flex-wrap items-start gap-2">
        <TextField
          label={t('searchTheCatalogue')}
          hideLabel
          name="q"
          type="search"
          minLength={3}
          maxLength={255}
          autoComplete="off"
          defaultValue={exampleSearch}
          className="min-w-0 flex-[1_1_8rem]"
        />
        <Button type="submit" className="min-h-11">
          {t('search')}
        </Button>
      </form>
      {found ? (
        <div className="relative my-auto flex flex-wrap items-center gap-5">
          <Cover
            title={found.title}
            author={found.author}
            src={found.cover}
            alt=""
            className="max-w-20"
          />
          <span className="grid min-w-0 flex-[1_1_9rem] grid-cols-1 gap-1">
            <span className="text-xs text-ink-soft">{t('finds')}</span>
            <Link
              to={found.href}
              className="line-clamp-2 font-serif font-medium after:absolute after:inset-0 hover:underline"
            >
              {found.title}
            </Link>
            <span className="line-clamp-1 text-sm text-ink-soft">{found.author}</span>
          </span>
        </div>
      ) : null}
    </>
  )
}
