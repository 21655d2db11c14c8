import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import {
  offerFormats,
  offerKinds,
  storeCountries,
  storeCountry,
  type OfferFormat,
  type OwnStore,
  type StoreOffer,
} from '#shared/offer.ts'
import { fillTemplate, templateValues } from '#shared/store-link.ts'
import { offersQuery, type OfferedBook } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { useSession } from '#web/api/session.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { rich, t } from '#web/i18n/catalogue.ts'
import { offerFormat } from '#web/i18n/offers.ts'
import type { OffersDialogProps } from './offers-button.tsx'
import { formatCountry } from '#web/i18n/format.ts'

/** @returns the country of the browser's language; undefined if the browser doesn't name a language */
function browserCountry(): string | undefined {
  try {
    return new Intl.Locale(navigator.language).maximize().region
  } catch {
    // WebKit says "c" where the system's locale is C.
    return undefined
  }
}

const countryOptions = () =>
  Object.keys(storeCountries).map((value) => ({ value, label: formatCountry(value) }))

/** Offers for a book, by format. */
export function OffersDialog({ book, open, onOpenChange }: OffersDialogProps) {
  const settings = useSession()?.settings
  const [country, setCountry] = useState(() => storeCountry(settings?.country || browserCountry()))
  const query = useQuery(offersQuery(useApi(), book, country))
  const own = ownOffers(book, settings?.stores ?? [])
  return (
    <Dialog
      title={t('offers')}
      description={
        <span className="wrap-anywhere">
          {rich('offersNote', { title: <bdi>{book.title}</bdi> })}
        </span>
      }
      open={open}
      onOpenChange={onOpenChange}
    >
      <div className="grid grid-cols-1 gap-4">
        <SelectField
          label={t('country')}
          value={country}
          options={countryOptions()}
          onChange={(event) => setCountry(storeCountry(event.currentTarget.value))}
        />
        {query.isError ? (
          <ErrorState {...dataError(query)} />
        ) : query.data ? (
          <OfferTabs offers={[...own, ...query.data]} />
        ) : (
          <SkeletonGroup count={6} of={RowSkeleton} label={t('lookingForOffers')} />
        )}
      </div>
    </Dialog>
  )
}

function OfferTabs({ offers }: { offers: StoreOffer[] }) {
  return (
    <Tabs
      label={t('formats')}
      tabs={offerFormats.map((format) => ({
        value: format,
        label: offerFormat(format),
        content: <FormatOffers format={format} offers={offers} />,
      }))}
    />
  )
}

function FormatOffers({ format, offers }: { format: OfferFormat; offers: StoreOffer[] }) {
  const groups = offerKinds.flatMap((kind) => {
    const links = offers.flatMap((offer) => {
      const link = offer.kind === kind ? offer.links[format] : undefined
      return link ? [{ store: offer.store, link }] : []
    })
    return links.length > 0 ? [{ kind, links }] : []
  })
  if (groups.length === 0)
    return <p className="py-6 text-center text-ink-soft">{t('noStoresFoundForThis')}</p>
  return (
    <div className="grid gap-5">
      {groups.map(({ kind, links }) => (
        <section key={kind}>
          <h3 className="mb-1 text-sm font-medium text-ink-soft">{t(`offer.${kind}`)}</h3>
          <ul className="border-t border-line">
            {links.map(({ store, link }) => (
              <li key={`${store} ${link}`} className="border-b border-line">
                <a
                  href={link}
                  target="_blank"
                  rel="noopener noreferrer nofollow"
                  className="-mx-2 flex min-h-12 items-center justify-between gap-3 rounded-md px-2 hover:bg-sunken"
                >
                  <span className="min-w-0 truncate font-medium">
                    <bdi>{store}</bdi>
                    <span className="sr-only"> {t('opensInANewTab')}</span>
                  </span>
                  <ExternalLink aria-hidden className="size-4 shrink-0 text-ink-soft" />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** The reader's own stores that can link this book. */
function ownOffers({ title, authors, isbn }: OfferedBook, stores: OwnStore[]): StoreOffer[] {
  const values = templateValues({ isbn, title, author: authors[0] ?? '' })
  return stores.flatMap(({ name, format, template }) => {
    const link = fillTemplate(template, values)
    return link ? [{ store: name, kind: 'store' as const, links: { [format]: link } }] : []
  })
}

function RowSkeleton() {
  return <Skeleton className="my-1 h-12 w-full" />
}
