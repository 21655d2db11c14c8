import { Link } from 'react-router'
import type { SampleLibrary, SampleRow } from '#shared/sample-library.ts'
import { t } from '#web/i18n/landing.ts'
import { Cover } from '#web/ui/cover.tsx'
import { Container } from '#web/ui/page-shell.tsx'

/** Shows how an import works, with a sample file that the server has read. */
export function BringLibrary({ sample }: { sample: SampleLibrary }) {
  const { rows, matched, examples } = sample
  return (
    <Container className="grid grid-cols-1 items-center gap-8 pb-12 md:pb-16 lg:grid-cols-[minmax(0,1fr)_34rem] lg:gap-16">
      <div className="grid gap-4">
        <h2 className="text-2xl md:text-3xl">{t('bringYourLibrary')}</h2>
        <p className="max-w-prose text-ink-soft">{t('bringYourLibraryText')}</p>
        <p className="max-w-prose text-ink-soft">{t('bringFromElsewhere')}</p>
      </div>
      <section
        aria-label={t('sampleFile')}
        className="rounded-md border border-line bg-surface p-5"
      >
        <p className="font-medium">{t('sampleFile')}</p>
        <p className="mb-3 text-sm text-ink-soft">{t('sampleFileText', { matched, rows })}</p>
        <ul>
          {examples.map((row) => (
            <ExampleRow key={row.title} row={row} />
          ))}
        </ul>
      </section>
    </Container>
  )
}

function ExampleRow({ row }: { row: SampleRow }) {
  const { isbn, book } = row
  const { title, author } = book ?? row
  return (
    <li className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-center gap-4 border-t border-line py-2">
      <Cover title={title} author={author} src={book?.cover} alt="" />
      <span className="grid grid-cols-1">
        {book ? (
          <Link
            to={`/book/${book.slug}`}
            className="truncate font-serif font-medium hover:underline"
          >
            <bdi>{title}</bdi>
          </Link>
        ) : (
          <span className="truncate font-serif font-medium">
            <bdi>{title}</bdi>
          </span>
        )}
        <span className="truncate text-sm text-ink-soft">
          <bdi>{author}</bdi>
        </span>
        <span className="text-xs text-ink-soft">
          {!book ? t('keptAsInFile') : isbn ? t('foundByIsbn', { isbn }) : t('foundByTitle')}
        </span>
      </span>
    </li>
  )
}
