import { createHash } from 'node:crypto'

/** @returns the name of a version, the same for the same content; an `ETag` has it in quotes */
export function versionOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}

/**
 * Whether a client has this version already. Validators are compared weakly, as RFC 9110 asks:
 * a proxy that compresses marks them as weak.
 *
 * @param header the request's `If-None-Match`
 * @param etag with its quotes
 */
export function isKnownVersion(header: string | undefined, etag: string): boolean {
  return tagsIn(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

/**
 * Whether a write is meant for this version. Validators are compared strongly, as RFC 9110 asks: a
 * weak one may stand for other bytes.
 *
 * @param header the request's `If-Match`
 * @param etag with its quotes
 */
export function isMeantVersion(header: string, etag: string): boolean {
  return tagsIn(header).some((tag) => tag === '*' || tag === etag)
}

const tagsIn = (header = '') => header.match(/\*|(?:W\/)?"[^"]*"/g) ?? []
