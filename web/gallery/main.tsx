import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import '../app.css'
import { examples } from './examples.tsx'

const asked = new URLSearchParams(location.search)
/** The one component that is shown, as `?component=Cover`; all of them without it. */
const only = asked.get('component')

/** A link to the same page with one parameter changed. */
function linkWith(name: string, value: string): string {
  const next = new URLSearchParams(asked)
  next.set(name, value)
  return `?${next}`
}

function Gallery() {
  const shown = Object.entries(examples).filter(([component]) => !only || component === only)
  return (
    <div className="grid gap-12 p-6">
      <nav className="flex flex-wrap gap-4 text-sm">
        {Object.keys(examples).map((component) => (
          <a key={component} href={linkWith('component', component)}>
            {component}
          </a>
        ))}
        <a href={linkWith('theme', asked.get('theme') === 'dark' ? 'light' : 'dark')}>Theme</a>
        <a href={linkWith('dir', asked.get('dir') === 'rtl' ? 'ltr' : 'rtl')}>Direction</a>
      </nav>
      {shown.map(([component, states]) => (
        <section key={component} className="grid gap-6">
          <h2 className="text-2xl">{component}</h2>
          {Object.entries(states).map(([state, show]) => (
            <div key={state} className="grid gap-2">
              <h3 className="text-sm text-ink-soft">{state}</h3>
              <div data-example={`${component}: ${state}`} className="flow-root">
                {show()}
              </div>
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}

createRoot(document.getElementById('gallery')!).render(
  <MemoryRouter>
    <Gallery />
  </MemoryRouter>,
)
