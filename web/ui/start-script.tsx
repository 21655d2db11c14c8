import { earlyInputScript } from './early-input.ts'

/**
 * Asks for what {@link deferScripts} held back, once the page is painted: on a slow connection
 * nothing comes before the page's looks and type, and on a slow device nothing is run before it is
 * seen. A tab in the background paints nothing, and begins after a second.
 *
 * The page counts as loading until its scripts are there, as it would with scripts that do not wait:
 * who looks for its `load` finds a page that answers. What holds it up is a frame that is not closed;
 * it comes last, as without it the scripts are to begin all the same.
 */
const startScript = `(function(){var frame=document.createElement('iframe'),begun=false
function begin(){if(begun)return
begun=true
document.querySelectorAll('link[rel=later]').forEach(function(link){link.rel='modulepreload'})
var waits=document.querySelector('script[type=later]'),script=document.createElement('script')
script.type='module'
script.nonce=waits.nonce
script.text=waits.text
waits.replaceWith(script)
if(frame.contentDocument)frame.contentDocument.close()
frame.remove()}
setTimeout(begin,1000)
new PerformanceObserver(begin).observe({type:'paint',buffered:true})
frame.hidden=true
document.body.append(frame)
frame.contentDocument.open()})()`

/** In development Vite serves the scripts and may reload the page. */
const isLater = !import.meta.env.DEV

/** Last in `<body>`, after `<Scripts>`. */
export function StartScript({ nonce }: { nonce: string }) {
  if (!isLater) return null
  return (
    <script
      nonce={nonce}
      // As that of the theme: it has run when React looks.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{
        __html: import.meta.env.SSR ? earlyInputScript + startScript : '',
      }}
    />
  )
}

/** @returns the page with its scripts named, and left for {@link StartScript} to ask for */
export function deferScripts(html: string): string {
  if (!isLater) return html
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace(/(<script nonce="[^"]*") type="module" async="">/, '$1 type="later">')
}
