import tailwindcss from '@tailwindcss/vite'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { messages } from './vite.messages.ts'

/** The page of components, `npm run gallery`; no part of the product's build. */
export default defineConfig({
  root: join(import.meta.dirname, 'web/gallery'),
  publicDir: join(import.meta.dirname, 'public'),
  plugins: [messages(), tailwindcss()],
})
