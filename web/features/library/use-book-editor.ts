import { useFetchedDialog } from './fetched-dialog.ts'

const loadEditor = async () => (await import('./book-editor.tsx')).BookEditor

/** The editor of a book, fetched when it is first wanted. */
export const useBookEditor = () => useFetchedDialog(loadEditor)
