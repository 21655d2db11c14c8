/** An error about a file that can't be read. The message is a sentence for the reader. */
export class ImportError extends Error {}
