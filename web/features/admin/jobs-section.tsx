import { useQuery } from '@tanstack/react-query'
import { importFormats } from '#shared/import.ts'
import { adminJobsQuery } from '#web/api/admin.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { t } from '#web/i18n/admin.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { Ago } from '#web/ui/timestamp.tsx'
import { DataTable } from './data-table.tsx'
import { Facts } from './facts.tsx'

const waiting = ['books', 'devices', 'webhooks', 'mails'] as const

/** Milliseconds between looks at work under way. */
const lookEvery = 5000

/** What the server works on in the background. */
export function JobsSection() {
  const query = useQuery({ ...adminJobsQuery(useApi()), refetchInterval: lookEvery })
  if (query.isError && !query.data) return <ErrorState {...dataError(query)} />
  if (!query.data) return null
  const { imports, waiting: counts } = query.data
  return (
    <>
      <Section title={t('imports')}>
        {imports.length === 0 ? (
          <EmptyState>{t('noImports')}</EmptyState>
        ) : (
          <DataTable
            label={t('imports')}
            columns={[
              { label: t('reader'), cell: ({ username }) => <bdi>{username}</bdi> },
              {
                label: t('format'),
                cell: ({ format }) => (format ? <bdi>{importFormats[format]}</bdi> : '–'),
              },
              {
                label: t('state'),
                cell: ({ state }) =>
                  state === 'reading' || state === 'applying' || state === 'undoing'
                    ? t(`state.${state}`)
                    : '–',
              },
              {
                label: t('rows'),
                cell: ({ done, total }) => t('doneOf', { done, total }),
                isNumber: true,
              },
              { label: t('created'), cell: ({ created }) => <Ago timestamp={created} /> },
            ]}
            rows={imports}
            keyOf={({ id }) => id}
          />
        )}
      </Section>
      <Section title={t('waiting')}>
        <Facts
          of={waiting.map((name) => [t(`waiting.${name}`), formatNumber(counts[name])] as const)}
        />
      </Section>
    </>
  )
}
