import { LifeBuoy, MessagesSquare } from 'lucide-react'
import { Link } from 'react-router'
import { useSite } from '#web/api/site.ts'
import { Button } from '#web/ui/button.tsx'
import { t } from '#web/i18n/account.ts'
import { SettingsRow } from './settings-section.tsx'

/** Links to the community, if there is one, and to the operator. */
export function HelpRow() {
  const { chat } = useSite()
  return (
    <SettingsRow
      title={t('helpSupport')}
      hint={t('whereToAsk')}
      control={
        <div className="flex flex-wrap justify-end gap-2">
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
      }
    />
  )
}
