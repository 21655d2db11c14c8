/** One area's messages in all languages; see `vite.messages.ts`. */
declare module 'messages/*' {
  const catalogue: import('./area.ts').Catalogue
  export default catalogue
}

/** Paths of the built catalogues, by language and area. */
declare module 'messages:files' {
  const files: Record<import('#shared/language.ts').Language, Record<string, string>>
  export default files
}
