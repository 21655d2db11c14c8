import { Plus } from 'lucide-react'
import { lazy } from '#web/ui/lazy.ts'
import { Button } from '#web/ui/button.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { t } from '#web/i18n/books.ts'

const fetchMenu = () => import('./add-book-menu.tsx')
const AddBookMenu = lazy(fetchMenu)

/** 'Add Book', for the owner of a library: by scanning, by hand, or from Explore. */
export function AddBook(props: {
  /** The default shelf. */
  shelf?: string
  /** Secondary where an empty list leads on by itself. */
  variant?: 'primary' | 'secondary'
}) {
  const { shelf, variant = 'primary' } = props
  return (
    <OnDemand
      preload={fetchMenu}
      button={
        <Button variant={variant} icon={<Plus />} className="sign-on-phone">
          <span className="max-md:sr-only">{t('addBook')}</span>
        </Button>
      }
    >
      {(trigger) => <AddBookMenu trigger={trigger} shelf={shelf} />}
    </OnDemand>
  )
}
