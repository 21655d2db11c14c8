/** One area's messages in all languages; see `vite.messages.ts`. */
declare module 'messages/*' {
  const catalogue: import('./area.ts').Catalogue
  export default catalogue
}

/** The languages that readers can choose. */
declare module 'messages:languages' {
  const languages: readonly import('#shared/language.ts').Language[]
  export default languages
}

/** Paths of the built catalogues, by language and area. */
declare module 'messages:files' {
  const files: Partial<Record<import('#shared/language.ts').Language, Record<string, string>>>
  export default files
}
