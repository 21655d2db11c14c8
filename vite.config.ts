import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** What every page needs is one file: twenty small ones pack worse and are asked for in turns. */
const base =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|pocketbase)[\\/](?!.*(mutationObserver|useMutation|[iI]nfiniteQueryObserver|useInfinite|useSuspense|virtual|queriesObserver|useQueries))|web[\\/](root|nonce|entry\.client|routes[\\/](public|library)-layout|features[\\/]shell[\\/](error-page|page-frame|messages|shortcuts?)\.|api[\\/](load|site|session|catalogue)\.|ui[\\/](fonts|theme-script|button)\.)/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Fonts stay files of their own, so that they can be preloaded and cached apart.
  build: { assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: base }] } } },
      },
    },
  },
})
