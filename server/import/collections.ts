import { collection, type Field } from '#records/index.ts'
import { maxImportFileBytes, importFormats, importRowStates, importStates } from '#shared/import.ts'
import { created, own, owner, updated } from '#server/library/rules.ts'

const rowCounts = importRowStates.map((name): Field => ({
  name,
  type: 'number',
  writable: 'never',
}))
export const importsCollection = collection({
  name: 'imports',
  fields: [
    owner,
    // Any file but a picture. Its format is detected when it is read.
    {
      name: 'file',
      type: 'file',
      maxSize: maxImportFileBytes,
      refusesPictures: true,
      required: true,
      writable: 'create',
    },
    { name: 'format', type: 'select', values: Object.keys(importFormats), writable: 'never' },
    { name: 'state', type: 'select', values: importStates },
    { name: 'options', type: 'json', maxSize: 16_384 },
    { name: 'total', type: 'number', writable: 'never' },
    ...rowCounts,
    { name: 'error', type: 'text', writable: 'never' },
    // The shelf the import created, to be removed when it is undone.
    { name: 'made', type: 'text', readable: 'nobody', writable: 'never' },
    created,
    updated,
  ],
  rules: {
    list: own,
    view: own,
    create: `@request.auth.id != "" && ${own}`,
    update: own,
    delete: own,
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
      cascadeDelete: true,
      writable: 'never',
    },
    { name: 'number', type: 'number', writable: 'never' },
    { name: 'state', type: 'select', values: importRowStates },
    { name: 'reason', type: 'text', writable: 'never' },
    { name: 'source', type: 'json', writable: 'never' },
    { name: 'read', type: 'json', writable: 'never' },
    { name: 'candidates', type: 'json', writable: 'never' },
    { name: 'book', type: 'json', maxSize: 65_536 },
    // The records it created or changed, needed to undo it.
    { name: 'result', type: 'json', readable: 'nobody', writable: 'never' },
  ],
  unique: [['import', 'number']],
  rules: { list: ownImport, view: ownImport, create: null, update: ownImport, delete: null },
})
