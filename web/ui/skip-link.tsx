import { t } from '#web/i18n/shell.ts'
/** First thing in the body; the page's `<main>` carries the id and `tabIndex={-1}`. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-[60] rounded-md bg-rubric-fill font-medium text-on-rubric shadow-lift focus:not-sr-only focus:fixed focus:start-4 focus:top-4 focus:px-4 focus:py-3"
    >
      {t('skipToContent')}
    </a>
  )
}
