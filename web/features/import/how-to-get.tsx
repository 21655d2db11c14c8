import { t } from '#web/i18n/import.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'

/** The way to the file, by where the reader comes from. */
const ways = [
  { name: () => 'Goodreads', steps: ['way.goodreads.1', 'way.goodreads.2', 'way.goodreads.3'] },
  { name: () => 'StoryGraph', steps: ['way.storygraph.1', 'way.storygraph.2', 'way.storygraph.3'] },
  { name: () => 'LibraryThing', steps: ['way.librarything.1', 'way.librarything.2'] },
  {
    name: () => t('way.highlights'),
    steps: ['way.highlights.1', 'way.highlights.2', 'way.highlights.3', 'way.highlights.4'],
  },
  { name: () => t('way.other'), steps: ['way.other.1', 'way.other.2'] },
] as const

export function HowToGet() {
  return (
    <div className="border-t border-line">
      {ways.map(({ name, steps }) => (
        <Disclosure key={steps[0]} summary={name()} group="import-ways">
          <ol className="list-decimal space-y-1 ps-5 wrap-anywhere">
            {steps.map((step) => (
              <li key={step}>{t(step)}</li>
            ))}
          </ol>
        </Disclosure>
      ))}
    </div>
  )
}
