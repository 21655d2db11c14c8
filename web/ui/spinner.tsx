import { LoaderCircle } from 'lucide-react'

/** Decoration next to a text that says the same. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-5 animate-spin" />
}
