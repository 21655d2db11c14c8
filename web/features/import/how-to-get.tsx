import { Disclosure } from '#web/ui/disclosure.tsx'

/** The way to the file, by where the reader comes from. */
const ways: { name: string; steps: readonly string[] }[] = [
  {
    name: 'Goodreads',
    steps: [
      'On a computer, open goodreads.com and go to My Books.',
      'Under Tools, on the left, choose Import and export.',
      'Press Export Library, wait for the link to appear, and download the file.',
    ],
  },
  {
    name: 'StoryGraph',
    steps: [
      'Open your profile and choose Manage Account.',
      'Under Manage Your Data, choose Export StoryGraph Library.',
      'Press Generate export and download the file when it’s ready.',
    ],
  },
  {
    name: 'LibraryThing',
    steps: [
      'Open librarything.com/export.',
      'Export your library as tab-delimited text or as JSON.',
    ],
  },
  {
    name: 'Another tracker',
    steps: [
      'BookWyrm, Openreads, BookLogr, Jelu, Hardcover, Calibre (metadata.db in the folder of your library) and Open Library are read too, also as ZIP files.',
      'Any table with a title or an ISBN column works, and so does a list with an ISBN on each line.',
    ],
  },
]

export function HowToGet() {
  return (
    <div className="border-t border-line">
      {ways.map(({ name, steps }) => (
        <Disclosure key={name} summary={name} group="import-ways">
          <ol className="list-decimal space-y-1 ps-5">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Disclosure>
      ))}
    </div>
  )
}
