import { PenLine } from 'lucide-react'
import { digitsOfIsbn } from '#shared/isbn.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'

const loadForm = async () => (await import('./add-book-dialog.tsx')).AddBookDialog

/**
 * The way on for a reader whose book no catalogue knows.
 *
 * @param props.text what was looked for: the book begins with it
 */
export function AddBookByHand(props: { text: string; onAdded?: (added: UserBook) => void }) {
  const { text, onAdded } = props
  const form = useLazyDialog(loadForm)
  const start = digitsOfIsbn(text) ? { isbn: text } : { title: text }
  return (
    <>
      <Button size="sm" icon={<PenLine />} {...form.button}>
        {t('addItByHand')}
      </Button>
      {form.Dialog ? (
        <form.Dialog
          key={form.round}
          start={start}
          {...form.state}
          {...(onAdded ? { onAdded } : {})}
        />
      ) : null}
    </>
  )
}
