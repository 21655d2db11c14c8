import { Download } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

/** All of a reader's data as files; the browser saves them as they come. */
export function DownloadLinks() {
  return (
    <span className="flex flex-wrap gap-2">
      <Button size="sm" asChild>
        <a href="/api/v1/account/export" download>
          <Download aria-hidden className="size-4" />
          Everything (JSON)
        </a>
      </Button>
      <Button size="sm" asChild>
        <a href="/api/v1/account/export.csv" download>
          <Download aria-hidden className="size-4" />
          Books (CSV)
        </a>
      </Button>
    </span>
  )
}
