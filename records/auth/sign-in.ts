import type { Viewer } from '../filter/request.ts'

/** A session that has just begun or been refreshed. */
export interface SignIn {
  viewer: Viewer
  token: string
  /** Seconds until the token ends. */
  life: number
  /** The token of a newly trusted device. */
  trusted?: string
}
