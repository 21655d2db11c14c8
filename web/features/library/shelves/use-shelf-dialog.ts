import { useLazyDialog } from '#web/ui/lazy-dialog.ts'

const loadForm = async () => (await import('./shelf-form.tsx')).ShelfDialog
const loadQuestion = async () => (await import('./delete-shelf-dialog.tsx')).DeleteShelfDialog

/** The dialog of a new shelf or of one to edit, fetched when it is first wanted. */
export const useShelfDialog = () => useLazyDialog(loadForm)

/** The question before a shelf is deleted, fetched when it is first wanted. */
export const useDeleteShelfDialog = () => useLazyDialog(loadQuestion)
