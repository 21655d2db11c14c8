import type { CoversOptions, SourcesOptions } from '#catalogue/index.ts'
import type { Config } from '#server/settings/config.ts'

/** Octavo's user agent for other catalogues, which require a way to contact the operator. */
function userAgent({ appUrl, links }: Pick<Config, 'appUrl' | 'links'>): string {
  return `Octavo/1 (${links.contactEmail ?? appUrl})`
}

/** @returns the configured options of other catalogues */
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

/** @returns the configured options of covers */
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
