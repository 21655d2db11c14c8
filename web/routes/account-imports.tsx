import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { importsQuery } from '#web/api/imports.ts'
import { requireSession } from '#web/api/session.ts'
import { ImportHome } from '#web/features/import/import-home.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/import.ts'

const load: Load = async (input) => {
  const { user } = await requireSession(input)
  await input.start(importsQuery(input.api, user.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: `${t('importBooks')} | Octavo` }]

export default function AccountImportsScreen() {
  return (
    <Container width="narrow">
      <PageHeader title={t('importBooks')} description={t('importBooksDescription')} />
      <ImportHome />
    </Container>
  )
}
