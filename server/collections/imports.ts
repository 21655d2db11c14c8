import { asWritten, collection, type Field } from '#records/index.ts'
import {
  maxImportFileBytes,
  importFormats,
  importRowStates,
  importStates,
  type ImportFormat,
  type ImportRecord,
  type ImportRow,
} from '#shared/import.ts'
import { created, own, owner, ownersWrite, updated } from './rules.ts'

/** The key and the parameters of `error` or `reason`, which are in English. */
const message = {
  name: 'message',
  type: 'json',
  writable: 'never',
  holds: asWritten<ImportRecord['message']>,
} as const satisfies Field

const rowCounts = importRowStates.map(
  (name) => ({ name, type: 'number', writable: 'never' }) as const satisfies Field,
)
export const importsCollection = collection({
  name: 'imports',
  fields: [
    owner,
    // Any file but a picture. Its format is detected when it is read. Gone once that has ended.
    {
      name: 'file',
      type: 'file',
      maxSize: maxImportFileBytes,
      refusesPictures: true,
      writable: 'create',
    },
    {
      name: 'format',
      type: 'select',
      values: Object.keys(importFormats) as ImportFormat[],
      writable: 'never',
    },
    { name: 'state', type: 'select', values: importStates },
    { name: 'options', type: 'json', maxSize: 65_536, holds: asWritten<ImportRecord['options']> },
    { name: 'total', type: 'number', writable: 'never' },
    ...rowCounts,
    { name: 'error', type: 'text', writable: 'never' },
    // The shelves the import created, to be removed when it is undone: their ids, with spaces between.
    { name: 'made', type: 'text', readable: 'nobody', writable: 'never' },
    created,
    updated,
    // Bytes of the rows' sources and books.
    { name: 'stored', type: 'number', readable: 'nobody', writable: 'never' },
    message,
    {
      name: 'warnings',
      type: 'json',
      writable: 'never',
      holds: asWritten<ImportRecord['warnings']>,
    },
    { name: 'unused', type: 'json', writable: 'never', holds: asWritten<ImportRecord['unused']> },
    { name: 'labels', type: 'json', writable: 'never', holds: asWritten<ImportRecord['labels']> },
  ],
  rules: {
    list: own,
    view: own,
    ...ownersWrite,
  },
})

const ownImport = 'import.user = @request.auth.id'
export const importRows = collection({
  name: 'import_rows',
  fields: [
    {
      name: 'import',
      type: 'relation',
      collection: 'imports',
      required: true,
      // There can be too many rows for one transaction.
      outlivesTarget: true,
      writable: 'never',
    },
    { name: 'number', type: 'number', writable: 'never' },
    { name: 'state', type: 'select', values: importRowStates },
    { name: 'reason', type: 'text', writable: 'never' },
    { name: 'source', type: 'json', writable: 'never', holds: asWritten<ImportRow['source']> },
    { name: 'read', type: 'json', writable: 'never', holds: asWritten<ImportRow['read']> },
    {
      name: 'candidates',
      type: 'json',
      writable: 'never',
      holds: asWritten<ImportRow['candidates']>,
    },
    { name: 'book', type: 'json', maxSize: 65_536, holds: asWritten<ImportRow['book']> },
    // The records it created or changed, needed to undo it.
    { name: 'result', type: 'json', readable: 'nobody', writable: 'never' },
    message,
    { name: 'warnings', type: 'json', writable: 'never', holds: asWritten<ImportRow['warnings']> },
    { name: 'settled', type: 'bool', writable: 'never' },
  ],
  unique: [['import', 'number']],
  rules: { list: ownImport, view: ownImport, create: null, update: ownImport, delete: null },
})
