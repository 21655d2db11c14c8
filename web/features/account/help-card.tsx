import { LifeBuoy, MessagesSquare } from 'lucide-react'
import { Link } from 'react-router'
import { useSite } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { t } from '#web/i18n/account.ts'

/** Links to the community, if there is one, and to the operator. */
export function HelpCard() {
  const { chat } = useSite()
  return (
    <Panel title={t('helpSupport')} description={t('whereToAsk')}>
      <div className="flex flex-wrap gap-2">
        {chat ? (
          <Button asChild>
            <a href={chat} target="_blank" rel="noopener noreferrer">
              <MessagesSquare aria-hidden className="size-4" />
              {t('chatCommunity')}
              <span className="sr-only"> {t('opensInANewTab')}</span>
            </a>
          </Button>
        ) : null}
        <Button asChild>
          <Link to="/contact">
            <LifeBuoy aria-hidden className="size-4" />
            {t('contact')}
          </Link>
        </Button>
      </div>
    </Panel>
  )
}
