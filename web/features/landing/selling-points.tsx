import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'
import { ProgressPicture, SearchPicture, ShelvesPicture, StoresPicture } from './point-pictures.tsx'

const points = [
  {
    title: 'trackProgress',
    picture: ProgressPicture,
    text: 'trackProgressText',
  },
  { title: 'customShelves', picture: ShelvesPicture, text: 'customShelvesText' },
  { title: 'aiPoweredSearch', picture: SearchPicture, text: 'aiPoweredSearchText' },
  { title: 'buyLegally', picture: StoresPicture, text: 'buyLegallyText' },
] as const

export function SellingPoints() {
  return (
    <Container className="py-12 md:py-16">
      <h2 className="sr-only">{t('whatOctavoDoesForYou')}</h2>
      <ul className="grid gap-4 sm:grid-cols-2 md:gap-6 xl:grid-cols-4">
        {points.map(({ title, picture: Picture, text }) => (
          <li
            key={title}
            className="grid grid-cols-1 content-start overflow-hidden rounded-md border border-line bg-surface"
          >
            <div
              aria-hidden
              className="grid h-44 grid-cols-1 content-center border-b border-line bg-sunken px-5"
            >
              <Picture />
            </div>
            <div className="grid gap-2 p-5">
              <h3 className="text-xl">{t(title)}</h3>
              <p className="text-ink-soft">{t(text)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Container>
  )
}
