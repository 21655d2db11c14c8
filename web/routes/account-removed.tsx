import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { trashQuery } from '#web/api/trash.ts'
import { requireSession } from '#web/api/session.ts'
import { TrashList } from '#web/features/library/trash/trash-list.tsx'
import { trashDays } from '#shared/trash.ts'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/account.ts'

const load: Load = async (input) => {
  await requireSession(input)
  await input.start(trashQuery(input.api))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: `${t('recentlyRemoved')} | Octavo` }]

export default function AccountRemovedScreen() {
  return (
    <Container width="narrow">
      <PageHeader
        title={t('recentlyRemoved')}
        description={t('removedDescription', { days: trashDays })}
      />
      <TrashList />
    </Container>
  )
}
