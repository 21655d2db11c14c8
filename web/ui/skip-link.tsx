/** First thing in the body; the page's `<main>` carries the id and `tabIndex={-1}`. */
export function SkipLink({ target = 'main' }: { target?: string | undefined }) {
  return (
    <a
      href={`#${target}`}
      className="fixed start-4 top-4 z-[60] -translate-y-24 rounded-md bg-rubric-fill px-4 py-3 font-medium text-on-rubric shadow-lift focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}
