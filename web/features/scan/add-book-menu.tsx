import { Compass, PenLine, ScanBarcode } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { t } from '#web/i18n/books.ts'

const loadScanner = async () => (await import('./scan-dialog.tsx')).default
const loadForm = async () =>
  (await import('#web/features/library/add-book/add-book-dialog.tsx')).AddBookDialog

/** The ways to a new book. */
export default function AddBookMenu(props: { trigger: ReactNode; shelf?: string | undefined }) {
  const { trigger, shelf = '' } = props
  const scanner = useLazyDialog(loadScanner)
  const form = useLazyDialog(loadForm)
  return (
    <>
      <Menu trigger={trigger} defaultOpen>
        <MenuItem icon={<ScanBarcode />} onSelect={scanner.button.onClick}>
          {t('scanIsbn')}
        </MenuItem>
        <MenuItem icon={<PenLine />} onSelect={form.button.onClick}>
          {t('byHand')}
        </MenuItem>
        <MenuItem asChild>
          <Link to="/explore">
            <Compass aria-hidden />
            {t('findInExplore')}
          </Link>
        </MenuItem>
      </Menu>
      {scanner.Dialog ? (
        <scanner.Dialog key={`scan-${scanner.round}`} shelf={shelf} {...scanner.state} />
      ) : null}
      {form.Dialog ? (
        <form.Dialog key={`form-${form.round}`} shelf={shelf} {...form.state} />
      ) : null}
    </>
  )
}
