import { useSite } from '#web/api/site.ts'
import { t } from '#web/i18n/landing.ts'
import { JsonLd } from '#web/ui/json-ld.tsx'

/** Structured data for search engines: the price, and the search's address. */
export function StructuredData() {
  return <JsonLd data={graph(useSite().url)} />
}

function graph(url: string) {
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'WebApplication',
        name: 'Octavo',
        url: `${url}/`,
        applicationCategory: 'LifestyleApplication',
        operatingSystem: 'Any',
        description: t('appDescription'),
        offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
      },
      {
        '@type': 'WebSite',
        name: 'Octavo',
        url: `${url}/`,
        potentialAction: {
          '@type': 'SearchAction',
          target: { '@type': 'EntryPoint', urlTemplate: `${url}/explore?q={search_term_string}` },
          'query-input': 'required name=search_term_string',
        },
      },
    ],
  }
}
