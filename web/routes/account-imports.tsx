import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { importsQuery } from '#web/api/imports.ts'
import { requireSession } from '#web/api/session.ts'
import { ImportHome } from '#web/features/import/import-home.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'

const load: Load = async (input) => {
  const { user } = await requireSession(input)
  await input.start(importsQuery(input.api, user.id))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: 'Import books | Octavo' }]

export default function AccountImportsScreen() {
  return (
    <Container width="narrow">
      <PageHeader
        title="Import books"
        description="Bring your books from Goodreads, StoryGraph or another tracker, with ratings, status and dates added."
      />
      <ImportHome />
    </Container>
  )
}
