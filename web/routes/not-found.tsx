import { data } from 'react-router'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'

const load: Load = () => {
  throw data({}, { status: 404 })
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** Never shown: the loader answers 404, and the layout shows the error screen. */
export default function NotFoundScreen() {
  return null
}
