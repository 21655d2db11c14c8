import files from 'messages:files'
import { currentLanguage } from './language.ts'

/**
 * @returns the import map that leads a page's scripts from `messages/<area>` to the files of its
 *   language; undefined in development, where the modules hold all languages
 */
export function messageMap(): { imports: Record<string, string> } | undefined {
  if (import.meta.env.DEV) return undefined
  const areas = Object.entries(files[currentLanguage()] ?? {})
  return { imports: Object.fromEntries(areas.map(([area, file]) => [`messages/${area}`, file])) }
}
