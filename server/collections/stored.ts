import type {
  Change,
  CollectionNamed,
  Hooks,
  RecordOf,
  Records,
  TrashEntry,
  ValuesOf,
  Viewer,
  WriteTransaction,
} from '#records/index.ts'
import type { createSchema } from './schema.ts'

/** The product's collections; the types of their records follow from what they declare. */
export type LibraryCollection = ReturnType<typeof createSchema>['collections'][number]
export type CollectionName = LibraryCollection['name']

/** A record of the named collection inside the server, including hidden fields. */
export type Stored<Name extends CollectionName> = RecordOf<CollectionNamed<LibraryCollection, Name>>

/** @returns the account of a viewer; readers are the only accounts */
export function accountOf(viewer: Viewer): Stored<'users'> {
  return viewer.record as Stored<'users'>
}

/** Values of some of its fields, as the server writes them. */
export type StoredValues<Name extends CollectionName> = ValuesOf<
  CollectionNamed<LibraryCollection, Name>
>

export type LibraryTrashEntry = TrashEntry<LibraryCollection>
export type LibraryRecords = Records<LibraryCollection>
export type LibraryTransaction = WriteTransaction<LibraryCollection>
export type LibraryChange<Name extends CollectionName> = Change<Stored<Name>>
export type LibraryHooks<Name extends CollectionName> = Hooks<Stored<Name>, LibraryCollection>
