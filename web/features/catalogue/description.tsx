import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { t } from '#web/i18n/catalogue.ts'
import { descriptionText } from './book-facts.ts'

/** Characters that eight lines have room for on the smallest phone. */
const surelyShort = 240

/** Eight lines of a description; the rest, if there is one, at a press. */
export function Description({ text }: { text: string }) {
  const id = useId()
  const box = useRef<HTMLParagraphElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [overflows, setOverflows] = useState(false)
  const shown = descriptionText(text)

  useEffect(() => {
    const element = box.current
    if (!element || isOpen) return undefined
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 1)
    // Its width decides, and with it the font that may come later.
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isOpen])

  return (
    <div>
      <p
        ref={box}
        id={id}
        dir="auto"
        className={classNames(
          'max-w-[33.5rem] font-serif text-lg leading-7 whitespace-pre-line',
          !isOpen && 'line-clamp-8',
        )}
      >
        {shown}
      </p>
      {/* The line is kept, so that nothing moves when the button turns out to be needed. */}
      <div
        className={classNames(
          'pt-1',
          (shown.length > surelyShort || shown.includes('\n')) && 'min-h-11',
        )}
      >
        {overflows ? (
          <Button
            variant="quiet"
            size="sm"
            className="-ms-3"
            aria-expanded={isOpen}
            aria-controls={id}
            icon={<ChevronDown className={classNames(isOpen && 'rotate-180')} />}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? t('showLess') : t('showMore')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
