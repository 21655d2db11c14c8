import { useEffect, useLayoutEffect, useRef, type ReactNode, type SubmitEvent } from 'react'

/**
 * A form that takes the place of the button that opens it, and gives it back when it closes. The
 * focus follows: to the first field, to the first refused field, and back to the button.
 *
 * @param props.errors what was refused; a new object with every refusal
 */
export function InlineForm(props: {
  label: string
  errors: object
  onSubmit: () => Promise<void>
  children: ReactNode
}) {
  const { label, errors, onSubmit, children } = props
  const box = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (Object.keys(errors).length > 0)
      box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])
  useLayoutEffect(() => {
    const form = box.current!
    form.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      if (form.contains(document.activeElement)) focusAfter(form)
    }
  }, [])

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    // It may stand in another form in React's tree.
    event.stopPropagation()
    void onSubmit()
  }

  return (
    <form
      ref={box}
      noValidate
      aria-label={label}
      onSubmit={submit}
      className="grid grid-cols-1 gap-3 rounded-md border border-line bg-surface p-4"
    >
      {children}
    </form>
  )
}

/** Once the form is gone, focuses the first button of the nearest box around it that is still there. */
function focusAfter(form: HTMLElement): void {
  const near: (Element | null)[] = []
  // A deleted entry disappears with its form, so focus its neighbour.
  for (let box = form.parentElement; box; box = box.parentElement)
    near.push(box, box.nextElementSibling, box.previousElementSibling)
  queueMicrotask(() => {
    const place = near.find((box) => box?.isConnected && box.querySelector('button'))
    place?.querySelector('button')?.focus()
  })
}
