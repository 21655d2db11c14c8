import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { StepForm } from './step-form.tsx'
import { useStep, type Step } from './use-step.tsx'

/** The next step of a book as a button of its own. */
export function NextStepButton(props: {
  book: UserBook
  step: Step
  withIcon?: boolean
  variant?: ButtonProps['variant']
  className?: string | undefined
  onTaken?: () => void
}) {
  const { book, step, withIcon = false, variant, className, onTaken } = props
  const take = useStep(book)
  return (
    <StepForm book={book}>
      <Button
        type="submit"
        name="status"
        value={step.status}
        variant={variant}
        size="sm"
        icon={withIcon ? step.icon : undefined}
        aria-label={t(`stepReading.${step.name}`, { title: book.title })}
        className={classNames('min-h-11', className)}
        onClick={(event) => {
          event.preventDefault()
          // Another book's step comes to lie under the second half of a double click.
          if (event.detail > 1) return
          take(step)
          onTaken?.()
        }}
      >
        {t(`step.${step.name}`)}
      </Button>
    </StepForm>
  )
}
