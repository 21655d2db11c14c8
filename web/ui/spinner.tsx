import { LoaderCircle } from 'lucide-react'

/** Decoration beside a text that says the same. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-5 animate-spin" />
}
