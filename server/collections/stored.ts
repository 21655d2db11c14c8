import type {
  Change,
  CollectionNamed,
  Hooks,
  RecordOf,
  Records,
  TrashEntry,
  WriteTransaction,
} from '#records/index.ts'
import type { createSchema } from './schema.ts'

/** The product's collections; the types of their records follow from what they declare. */
export type LibraryCollection = ReturnType<typeof createSchema>['collections'][number]
export type CollectionName = LibraryCollection['name']

/** A record of the named collection inside the server, including hidden fields. */
export type Stored<Name extends CollectionName> = RecordOf<CollectionNamed<LibraryCollection, Name>>

export type LibraryTrashEntry = TrashEntry<LibraryCollection>
export type LibraryRecords = Records<LibraryCollection>
export type LibraryTransaction = WriteTransaction<LibraryCollection>
export type LibraryChange<Name extends CollectionName> = Change<Stored<Name>>
export type LibraryHooks<Name extends CollectionName> = Hooks<Stored<Name>, LibraryCollection>
