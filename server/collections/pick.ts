/** @returns some of a record's fields */
export function pick<T extends object, Name extends keyof T>(
  record: T,
  names: readonly Name[],
): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, Name>
}
