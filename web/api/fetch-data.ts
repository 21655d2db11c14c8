import type PocketBase from 'pocketbase'

/** @returns what a call below `/api/v1` answers */
export async function fetchData<T>(
  api: PocketBase,
  path: string,
  options: Parameters<PocketBase['send']>[1] = {},
): Promise<T> {
  return (await api.send<{ data: T }>(path, options)).data
}
