import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Fonts stay files of their own, so that they can be preloaded and cached apart.
  build: { assetsInlineLimit: 0 },
})
