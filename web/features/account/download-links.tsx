import { Download } from 'lucide-react'
import { t } from '#web/i18n/account.ts'
import { Button } from '#web/ui/button.tsx'

const others = [
  ['?format=storygraph', 'StoryGraph'],
  ['?format=bookwyrm', 'BookWyrm'],
  ['?format=openreads', 'Openreads'],
] as const

/**
 * All of a reader's data as files; the browser saves them as they come.
 *
 * @param trackers whether the shapes of other trackers are offered, too
 */
export function DownloadLinks({ trackers = false }: { trackers?: boolean }) {
  const files = [
    ['', t('everythingAsJson')],
    ['?format=zip', t('everythingWithPictures')],
    ['.csv', t('booksAsCsv')],
  ] as const
  return (
    <span className="flex flex-wrap gap-2">
      {[...files, ...(trackers ? others : [])].map(([address, label]) => (
        <Button key={label} size="sm" asChild>
          <a href={`/api/v1/account/export${address}`} download>
            <Download aria-hidden className="size-4" />
            {label}
          </a>
        </Button>
      ))}
    </span>
  )
}
