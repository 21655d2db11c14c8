import { useParams } from 'react-router'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { completionQuery } from '#web/api/completion.ts'
import { importQuery } from '#web/api/imports.ts'
import { requireSession } from '#web/api/session.ts'
import { ImportView } from '#web/features/import/import-view.tsx'
import { t } from '#web/i18n/import.ts'

const load: Load = async (input) => {
  await requireSession(input)
  const id = input.params['importId'] ?? ''
  await Promise.all([
    input.fetch(importQuery(input.api, id)),
    input.fetch(completionQuery(input.api, id)),
  ])
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: `${t('import')} | Octavo` }]

export default function AccountImportScreen() {
  const { importId = '' } = useParams()
  return <ImportView key={importId} id={importId} />
}
