import { LifeBuoy, MessagesSquare } from 'lucide-react'
import { useSite } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** Where readers help each other, as far as the operator has such places. */
export function HelpCard() {
  const { chat, contactEmail } = useSite()
  if (!chat && !contactEmail) return null
  return (
    <Panel title="Help & Support" description="Ask other readers, or whoever runs this library.">
      <div className="flex flex-wrap gap-2">
        {chat ? (
          <Button asChild>
            <a href={chat} target="_blank" rel="noopener noreferrer">
              <MessagesSquare aria-hidden className="size-4" />
              Chat community
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          </Button>
        ) : null}
        {contactEmail ? (
          <Button asChild>
            <a href={`mailto:${contactEmail}`}>
              <LifeBuoy aria-hidden className="size-4" />
              {contactEmail}
            </a>
          </Button>
        ) : null}
      </div>
    </Panel>
  )
}
