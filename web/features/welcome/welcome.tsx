import { Compass, FileUp, ScanBarcode } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { afterLogin } from '#shared/origin.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { Container } from '#web/ui/page-shell.tsx'
import { fetchToast } from '#web/ui/fetch-toast.ts'
import { t } from '#web/i18n/welcome.ts'
import { BookFinder } from './book-finder.tsx'
import { FirstBooks } from './first-books.tsx'
import { PickedBooks } from './picked-books.tsx'
import { useFirstShelf } from './first-shelf.ts'

const loadScanner = async () => (await import('#web/features/scan/scan-dialog.tsx')).default

const elsewhereClass =
  'flex flex-wrap items-center gap-3 rounded-md border border-line bg-surface p-4'

/** The first screen of an account asks one thing, and can be left without an answer. */
export function Welcome() {
  const navigate = useNavigate()
  const user = useSession()?.user
  const scanner = useLazyDialog(loadScanner)
  const showBooks = () => navigate(`/u/${user?.username ?? ''}/books`, { replace: true })
  const [text, setText] = useState('')
  const start = useFirstShelf(async (count) => {
    const toast = await fetchToast()
    toast.success(t('addedToShelf', { count, shelf: t('readingNow') }))
    await showBooks()
  })
  const picked = start.picks.map(({ book }) => book.id)
  return (
    <Container width="narrow">
      <div className="grid gap-8 md:py-6">
        <header className="grid gap-2">
          <p className="text-sm font-medium text-ink-soft">{t('welcomeToOctavo')}</p>
          <h1 className="text-2xl md:text-3xl">{t('whatAreYouReadingNow')}</h1>
          <p className="text-ink-soft">{t('pickBooksHint')}</p>
        </header>
        <section aria-label={t('booksFromElsewhere')} className={elsewhereClass}>
          <p className="min-w-0 flex-1 basis-56 text-sm text-ink-soft">
            {t('yourBooksCanComeAlong')}
          </p>
          <Button size="sm" asChild>
            <Link to="/account/imports">
              <FileUp aria-hidden className="size-4" />
              {t('importBooks')}
            </Link>
          </Button>
        </section>
        <div className="grid gap-5">
          <BookFinder
            label={start.picks.length > 0 ? t('anotherBook') : t('titleAuthorOrIsbn')}
            text={text}
            onText={setText}
            picked={picked}
            onPick={start.pick}
            // Books that were picked before are still unsaved.
            onByHand={() => (start.picks.length > 0 ? undefined : void showBooks())}
          />
          {start.picks.length > 0 ? <PickedBooks start={start} /> : null}
        </div>
        {text.trim() ? null : <FirstBooks picked={picked} onPick={start.pick} />}
        <section
          aria-label={t('otherWaysToBegin')}
          className="grid gap-3 border-t border-line pt-6"
        >
          <p className="text-sm text-ink-soft">{t('otherWaysToStart')}</p>
          <div className="flex flex-wrap gap-2">
            <Button icon={<ScanBarcode />} {...scanner.button}>
              {t('scanAShelf')}
            </Button>
            <Button variant="quiet" asChild>
              <Link to={afterLogin}>
                <Compass aria-hidden className="size-4" />
                {t('lookAround')}
              </Link>
            </Button>
          </div>
        </section>
      </div>
      {scanner.Dialog ? (
        <scanner.Dialog key={scanner.round} mode="pile" {...scanner.state} />
      ) : null}
    </Container>
  )
}
