import { curatedQuery } from '#web/api/catalogue.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { requireSession } from '#web/api/session.ts'
import { offeredAtOnce } from '#web/features/welcome/first-books.tsx'
import { Welcome } from '#web/features/welcome/welcome.tsx'
import { t } from '#web/i18n/welcome.ts'

const load: Load = async (input) => {
  await requireSession(input)
  // Without them there is still the search.
  await input.fetch(curatedQuery(input.api, offeredAtOnce)).catch(() => undefined)
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [{ title: `${t('welcome')} | Octavo` }]

export default function WelcomeScreen() {
  return <Welcome />
}
