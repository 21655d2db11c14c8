import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { AdminCheck, AdminSite } from '#shared/admin.ts'
import { adminChecksQuery, adminSiteQuery, sendTestMail } from '#web/api/admin.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { t } from '#web/i18n/admin.ts'
import { formatList, formatNumber } from '#web/i18n/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Ago } from '#web/ui/timestamp.tsx'
import { useAct } from './confirmed-acts.tsx'
import { Facts } from './facts.tsx'

/** How the site is doing. */
export function HealthSection() {
  const query = useQuery(adminSiteQuery(useApi()))
  if (query.isError && !query.data) return <ErrorState {...dataError(query)} />
  if (!query.data) return null
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start">
      <SitePanel site={query.data} />
      <MailPanel mails={query.data.mails} />
      <ChecksPanel />
    </div>
  )
}

function SitePanel({ site }: { site: AdminSite }) {
  return (
    <Panel title={t('site')}>
      <Facts
        of={[
          [t('version'), <bdi key="version">{site.version}</bdi>],
          [t('database'), t('databaseSchema', { database: site.database, schema: site.schema })],
          [t('runtime'), <bdi key="node">{site.node}</bdi>],
          [t('readers'), formatNumber(site.readers)],
          [t('signUps'), t(`signUps.${site.signUps}`)],
          [t('providers'), site.providers.length > 0 ? formatList(site.providers) : t('none')],
          [t('lastBackup'), <LastBackup key="backup" backup={site.backup} />],
        ]}
      />
    </Panel>
  )
}

function LastBackup({ backup }: Pick<AdminSite, 'backup'>) {
  if (!backup) return t('notScheduled')
  return (
    <>
      {backup.made ? <Ago timestamp={backup.made} /> : t('noneYet')}
      {backup.failure ? (
        <p className="text-danger">{t('backupFailed', { failure: backup.failure })}</p>
      ) : null}
    </>
  )
}

function MailPanel({ mails }: Pick<AdminSite, 'mails'>) {
  const test = useAct(sendTestMail())
  const sent = test.data
  return (
    <Panel
      title={t('mails')}
      footer={
        mails.hasServer ? (
          <Button pending={test.isPending} onClick={() => test.mutate()}>
            {t('testMail')}
          </Button>
        ) : undefined
      }
    >
      <div className="grid gap-4">
        <Facts
          of={[
            [t('mailsWaiting'), formatNumber(mails.waiting)],
            [t('mailsFailed'), formatNumber(mails.failed)],
            ...(mails.oldest
              ? [[t('mailsSince'), <Ago key="oldest" timestamp={mails.oldest} />] as const]
              : []),
          ]}
        />
        {mails.hasServer ? null : <p className="text-sm text-ink-soft">{t('noMailServer')}</p>}
        <output className="block text-sm empty:hidden">
          {sent
            ? sent.failure
              ? t('testMailFailed', { failure: sent.failure })
              : t('testMailSent', { email: sent.to })
            : null}
        </output>
      </div>
    </Panel>
  )
}

function ChecksPanel() {
  const query = useQuery({ ...adminChecksQuery(useApi()), staleTime: 0 })
  return (
    <Panel
      title={t('checks')}
      description={t('checksHint')}
      className="lg:col-span-2"
      footer={
        <Button pending={query.isFetching} onClick={() => void query.refetch()}>
          {t('runAgain')}
        </Button>
      }
    >
      {query.isError && !query.isFetching ? <ErrorState {...dataError(query)} /> : null}
      {query.isPending ? (
        <output className="flex items-center gap-2 text-sm">
          <Spinner />
          {t('checking')}
        </output>
      ) : null}
      {query.data ? (
        <ul className="grid gap-3 text-sm">
          {query.data.items.map((check) => (
            <CheckLine key={check.name} check={check} />
          ))}
        </ul>
      ) : null}
    </Panel>
  )
}

/** What the checks say is for operators, in English like the commands. */
function CheckLine({ check: { name, isWell, message, advice } }: { check: AdminCheck }) {
  const Icon = isWell ? CircleCheck : CircleAlert
  return (
    <li className="flex gap-3">
      <span className="sr-only">{t(isWell ? 'isWell' : 'isWrong')}</span>
      <Icon
        aria-hidden
        className={isWell ? 'size-5 shrink-0 text-completed' : 'size-5 shrink-0 text-danger'}
      />
      <div lang="en" dir="ltr" className="min-w-0 wrap-anywhere">
        <p className="font-medium">{name}</p>
        <p className="text-ink-soft">{message}</p>
        {advice ? <p>{advice}</p> : null}
      </div>
    </li>
  )
}
