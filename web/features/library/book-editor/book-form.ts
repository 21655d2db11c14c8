import { useForm, type UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { factsForm } from '#shared/reading-form.ts'
import { isValidProgress } from '#shared/reading-position.ts'
import { refusal } from '#shared/rule.ts'
import { userBookFields } from '#shared/user-book-form.ts'
import { fieldMessages } from '#web/api/errors.ts'
import { t } from '#web/i18n/library.ts'
import { formResolver } from '#web/ui/form-resolver.ts'

const isAddress = (text: string) => URL.canParse(text) && /^https?:/i.test(text)

/** Everything about a book but its shelf, which has a place of its own on every screen. */
const fields = userBookFields.omit({ shelf: true }).extend({
  ...factsForm.shape,
  // It isn't in the form until it has been fetched.
  description: factsForm.shape.description.unwrap().optional(),
  /** A picture's address that is typed but not yet applied. */
  address: z
    .string()
    .trim()
    .refine((text) => text === '' || isAddress(text), {
      error: () => t('pictureAddressRule'),
    })
    .default(''),
})

const bookForm = fields
  // The page follows from a share that was entered.
  .refine((book) => (book.progress_percent ?? 0) > 0 || isValidProgress(book), {
    path: ['progress'],
    ...refusal('progressBeyondBook'),
  })
  .transform(({ address, ...book }) => ({ ...book, images: withAddress(book.images, address) }))
export type BookInput = z.input<typeof bookForm>
export type BookValues = z.output<typeof bookForm>
export type BookForm = UseFormReturn<BookInput, unknown, BookValues>

/** The fields of the form, which may stand in a folded part of it. */
export const detailNames = [
  'title',
  'authors',
  'genres',
  'page_count',
  'isbn',
  'series',
  'series_position',
  'published',
  'language',
  'description',
  'images',
  'address',
] as const

/** @returns the addresses with one that was typed, if any */
export function withAddress(images: readonly string[] = [], typed = ''): string[] {
  return [...new Set([...images, typed.trim()])].filter(Boolean)
}

/** The form of a book, with the server's rules. */
export function useBookForm(start: BookInput): BookForm {
  return useForm<BookInput, unknown, BookValues>({
    resolver: formResolver(bookForm),
    defaultValues: start,
  })
}

/**
 * Puts the server's sentences at their fields.
 *
 * @returns the sentences of what is not in the form, by name, and whether any was for the form
 */
export function showRefusal(
  form: BookForm,
  error: unknown,
): { others: Record<string, string>; isShown: boolean } {
  const { ...others } = fieldMessages(error)
  let isShown = false
  // In the form's order: the server's is that of the alphabet.
  for (const name of Object.keys(fields.shape) as (keyof BookInput)[]) {
    const message = others[name]
    if (message === undefined) continue
    delete others[name]
    form.setError(name, { message }, { shouldFocus: !isShown })
    isShown = true
  }
  return { others, isShown }
}
