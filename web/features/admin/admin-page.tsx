import { Link, useParams } from 'react-router'
import { t } from '#web/i18n/admin.ts'
import { NavTab, NavTabs } from '#web/ui/nav-tabs.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { ConfirmedActs } from './confirmed-acts.tsx'
import { HealthSection } from './health-section.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { LogSection } from './log-section.tsx'
import { ReadersSection } from './readers-section.tsx'
import { ReportsSection } from './reports-section.tsx'
import { sectionOf, sections, type Section } from './sections.ts'

const shown = {
  readers: ReadersSection,
  invitations: InvitationsSection,
  reports: ReportsSection,
  jobs: JobsSection,
  health: HealthSection,
  log: LogSection,
} satisfies Record<Section, () => React.ReactNode>

/** The administrator's page. */
export default function AdminPage() {
  const section = sectionOf(useParams()['section']) ?? 'readers'
  const Shown = shown[section]
  return (
    <Container>
      <title>{`${t(section)} | ${t('administration')} | Octavo`}</title>
      <PageHeader title={t('administration')} description={t('administrationHint')} />
      <NavTabs label={t('sections')} className="mb-6 max-md:flex-wrap">
        {sections.map((name) => (
          <NavTab key={name} current={name === section}>
            <Link to={name === 'readers' ? '/admin' : `/admin/${name}`} prefetch="intent">
              {t(name)}
            </Link>
          </NavTab>
        ))}
      </NavTabs>
      <ConfirmedActs>
        <Shown />
      </ConfirmedActs>
    </Container>
  )
}
