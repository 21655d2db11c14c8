export { openCatalogue, type Catalogue } from './catalogue.ts'
export { importFlags } from './import/options.ts'
export { CatalogueBusy } from './search/pool.ts'
export { foldTitle, foldWords, indexText, isUnspacedToken } from './text/fold.ts'
export type { CatalogueWork } from './index/work.ts'
export type { BookReference } from './search/book-reference.ts'
export type { FoundByName } from './search/worker.ts'
export { openCovers, type Covers, type CoversOptions } from './covers/covers.ts'
export { drawCover } from './covers/drawn-cover.ts'
export { coverFormats, type CoverFormat } from './covers/picture.ts'
export { drawPreview, type PreviewBook } from './covers/preview.ts'
export {
  drawYear,
  maxYearBooks,
  yearPictureSizes,
  type YearPicture,
} from './covers/year-picture.ts'
export { preferredMarcLanguage } from './language.ts'
export { lazyFetch } from './lazy-fetch.ts'
export { checkedLookup, isAddressRefused, isOnInternet } from './public-network.ts'
export { bookSources, storeOffers } from './offers.ts'
export { neighboursOf } from './starter/most-read/neighbours.ts'
export { openModel, type Model } from './model/model.ts'
export { suggestedBooks } from './model/suggested.ts'
export { minReaders, type ReaderCounts } from './co-reads/count.ts'
export { countCoReads, type CoReads } from './co-reads/co-reads.ts'
export {
  withSources,
  type SourcesOptions,
  type FederatedCatalogue,
} from './sources/with-sources.ts'

/**
 * Runs an operator's command (see ./import/command.ts), which is loaded only then.
 *
 * @returns the exit code
 */
export async function catalogueCommand(args: string[], folder: string): Promise<number> {
  const { runCatalogueCommand } = await import('./import/command.ts')
  return runCatalogueCommand(args, folder)
}
