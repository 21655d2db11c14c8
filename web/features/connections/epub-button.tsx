import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bindDeviceBook, findByIsbn, findUnknownBook } from '#web/api/connections.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { t } from '#web/i18n/connections.ts'
import { FileButton } from '#web/ui/file-button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Reads from an EPUB's ISBN which book a device reads. The file stays in the browser. */
export function EpubButton({ user }: { user: string }) {
  const api = useApi()
  const queries = useQueryClient()
  const bind = useMutation({
    mutationFn: async (file: File) => {
      const { readEpub } = await import('./read-epub.ts')
      const epub = await readEpub(file).catch(() => null)
      if (!epub) return toast.error(t('epubUnreadable'))
      const device = await findUnknownBook(api, user, epub.document)
      if (!device) return toast.error(t('epubUnknown'))
      const book = epub.isbn ? await findByIsbn(api, user, epub.isbn) : null
      if (!book?.book_key) return toast.error(t('epubWithoutBook'))
      await bindDeviceBook(api, device, { book_key: book.book_key })
      return toast.success(t('saved', { title: book.title }))
    },
    onError: (error) => void toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.connections }),
  })
  return (
    <div className="mb-4 grid justify-items-start gap-3">
      <p id="epub-hint" className="text-sm text-ink-soft">
        {t('epubHint')}
      </p>
      <FileButton
        variant="secondary"
        accept=".epub,application/epub+zip"
        aria-describedby="epub-hint"
        onFiles={([file]) => {
          if (file) bind.mutate(file)
        }}
      >
        {t('chooseEpub')}
      </FileButton>
    </div>
  )
}
