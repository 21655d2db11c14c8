/** A file that can't be read, in a sentence for the reader who sent it. */
export class ImportError extends Error {}
