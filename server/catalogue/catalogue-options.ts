import type { CoversOptions, SourcesOptions } from '#catalogue/index.ts'
import type { Config } from '#server/config.ts'

/** How Octavo presents itself to other catalogues, which ask for a way to reach who runs it. */
function userAgent({ appUrl, links }: Pick<Config, 'appUrl' | 'links'>): string {
  return `Octavo/1 (${links.contactEmail ?? appUrl})`
}

/** @returns which other catalogues are asked, and how, as the configuration says */
export function catalogueOptions(config: Config): Omit<SourcesOptions, 'log'> {
  const { sources, openLibraryUrl, googleBooksUrl, googleBooksKey, country } = config.catalogue
  return {
    folder: config.dataDir,
    sources,
    openLibraryUrl,
    googleBooksUrl,
    googleBooksKey,
    country,
    userAgent: userAgent(config),
  }
}

/** @returns where covers are fetched and kept */
export function coverOptions(config: Config): Omit<CoversOptions, 'log'> {
  const { sources, linkedCovers, openLibraryCoversUrl, googleBooksUrl, coversCacheBytes } =
    config.catalogue
  return {
    folder: config.dataDir,
    maxBytes: coversCacheBytes,
    sources,
    isLinking: linkedCovers,
    openLibraryCoversUrl,
    googleBooksUrl,
    userAgent: userAgent(config),
  }
}
