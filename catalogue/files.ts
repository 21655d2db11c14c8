import { join } from 'node:path'

/** Where the parts of a catalogue stand in the data folder. */
export function catalogueFiles(folder: string) {
  return {
    /** The index that is searched. */
    file: join(folder, 'catalogue.db'),
    /** What was learnt from outside sources. */
    learnt: join(folder, 'catalogue-learnt.db'),
    /** What an import took of the dumps. */
    staged: join(folder, 'catalogue-import.db'),
    /** Held by who imports or makes the index anew. */
    lock: join(folder, 'catalogue-import.lock'),
  }
}
