/** Runs a fragment in the database's own dialect, with its values as parameters. */
export { modify, query } from '#records/index.ts'
