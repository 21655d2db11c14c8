import { join } from 'node:path'

/** The files of a catalogue in the data folder. */
export function catalogueFiles(folder: string) {
  return {
    /** The index that is searched. */
    file: join(folder, 'catalogue.db'),
    /** Works learnt from external sources. */
    learnt: join(folder, 'catalogue-learnt.db'),
    /** An import's staged records. */
    staged: join(folder, 'catalogue-import.db'),
    /** The lock of imports and rebuilds. */
    lock: join(folder, 'catalogue-import.lock'),
  }
}
