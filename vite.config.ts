import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, transformWithOxc, type Plugin } from 'vite'
import { directionOf, type Language } from './shared/language.ts'
import { messages, plainMessages } from './vite.messages.ts'

/**
 * Code of every page, in one file: small files compress worse and are requested in turns. Without
 * these three groups Explore asks for 145 files of 240 kB, with them for 61 of 209.
 */
const base =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|pocketbase)[\\/](?!.*(mutationObserver|useMutation|[iI]nfiniteQueryObserver|useInfinite|useSuspense|virtual|queriesObserver|useQueries))|web[\\/](root|nonce|no-eval|entry\.client|routes[\\/](public|library)-layout|features[\\/]offline[\\/]lazy-offline\.|features[\\/]shell[\\/](error-page|page-frame|toasts|shortcuts?)\.|i18n[\\/](format|page-address)\.|api[\\/](client|load|site|session|catalogue|fetch-data|query-keys|outbox-changes)\.|ui[\\/](control-class|fonts|theme-script|button|json-ld|select|slot)\.)|lucide-react[\\/]dist[\\/]esm[\\/]((createLucide)?Icon|context)\.|icons[\\/]chevron-down\./

/** Code of nearly every screen but the landing page: queries, mutations, fields and errors. */
const screens =
  /query-core[\\/].*mutationObserver|react-query[\\/].*(useMutation|useSuspenseQuery)\.|icons[\\/](book-open|circle-(check|exclamation-point|pause|x)|plus|search-x|triangle-exclamation-point|x)\.|web[\\/](api[\\/](optimistic-edit|sign-out-notice)|ui[\\/](distinct-names|error-state|fetch-toast|field|hydrated|lazy-dialog|skeleton|status-badge|text-field))\.|shared[\\/](isbn|text|user-book)\./

/** Code of the screens that show books. */
const books =
  /shared[\\/](book|book-filter|cover-theme|cover)\.|web[\\/](ui[\\/](cover|typographic-cover)|api[\\/](library|realtime|trash)|features[\\/]library[\\/](trash[\\/]undo|book-editor[\\/]use-book-edit|book-list[\\/]user-book-cover))\./

/** Files that every page has already loaded, so later imports needn't preload them. */
const always = /\/(?:base|rolldown-runtime)-/

/** Messages of the page that the service worker makes itself. */
const offlinePage = /^(?:page\..*|tryAgain)$/

/** Makes the service worker's one file, which knows the other files of its build. */
function serviceWorker(): Plugin {
  const file = join(import.meta.dirname, 'web/service-worker.ts')
  const styleFile = join(import.meta.dirname, 'web/offline-page.css')
  return {
    name: 'octavo:service-worker',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle(_options, bundle) {
      const style = readFileSync(styleFile, 'utf8').replace(/^\/\*.*?\*\/\n/s, '')
      const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file)
      // The barcode reader is large and of no use without a connection. Of the messages, kept pages
      // bring those of their language.
      const assets = Object.keys(bundle)
        .filter((name) => /^assets\/(?!barcode-|locale-).*\.(?:js|css|woff2)$/.test(name))
        .map((name) => `/${name}`)
        .sort()
      const languages = Object.fromEntries(
        Object.entries(plainMessages('offline')).map(([tag, all]) => {
          const page = Object.entries(all).filter(([key]) => offlinePage.test(key))
          return [tag, { dir: directionOf(tag as Language), ...Object.fromEntries(page) }]
        }),
      )
      const version = createHash('sha256')
        .update(code + style + assets.join() + JSON.stringify(languages))
        .digest('hex')
        .slice(0, 12)
      const source = `const build = ${JSON.stringify({ version, assets, languages, style })};\n${code}`
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
    },
  }
}

export default defineConfig(({ command }) => ({
  plugins: [messages(), tailwindcss(), reactRouter(), serviceWorker()],
  build: {
    // Fonts stay files of their own, so that they can be preloaded and cached apart.
    assetsInlineLimit: 0,
    // The oldest browsers that the README names.
    target: ['safari16.4', 'firefox115', 'chrome111'],
    modulePreload: {
      resolveDependencies: (_file, files) => files.filter((name) => !always.test(name)),
    },
  },
  environments: {
    // Bundled, the server's screens start twice as fast in 100 MB less: they don't load every icon.
    // Minified, as what runs keeps its source in memory. One file loads faster than 160.
    ssr: {
      resolve: { noExternal: command === 'build' || [] },
      build: { minify: true, rolldownOptions: { output: { codeSplitting: false } } },
    },
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'base', test: base },
                { name: 'screens', test: screens },
                { name: 'books', test: books },
              ],
            },
          },
        },
      },
    },
  },
}))
