import { data } from 'react-router'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'

const load: Load = ({ params }) => {
  throw data({}, { status: isText(params['*'] ?? '') ? 404 : 400 })
}

/** Whether the escapes of an address are those of a text. */
function isText(path: string): boolean {
  try {
    return decodeURIComponent(path).isWellFormed()
  } catch {
    return false
  }
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** Never shown: the loader answers 404 or 400, and the layout shows the error screen. */
export default function NotFoundScreen() {
  return null
}
