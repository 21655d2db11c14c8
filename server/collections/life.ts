import type * as z from 'zod'
import type { Collection } from '#records/index.ts'

/** A record's values by field, from here or from an export, where they may be anything. */
export type Values<Name extends string = string> = Readonly<Partial<Record<Name, unknown>>>

/**
 * What the records of a collection go through beyond its rules. The trash, the export, its import,
 * clearing the library and their tests follow from it and from the fields.
 */
export interface Life<Name extends string = string> {
  /** Whether clearing the library deletes them, in place of keeping them. */
  cleared?: true
  /** The fields that hold the key of a book, which may change. */
  bookKeys?: readonly Name[]
  /** False where the reader's export leaves them out. */
  exported?: false
  /** What a hook checks a record's fields with, beyond their declarations; for the API's description. */
  forms?: readonly z.ZodType[]
  /** How a reader's own export is read back; absent if it isn't. */
  imported?: {
    /** A record's title in the list of rows. */
    title: (values: Values<Name>) => string
    /**
     * What is equal for records of the same thing, whatever their ids: some fields, or what is made
     * of them. Several records may share it, such as two undated readings.
     */
    identity: readonly Name[] | ((values: Values<Name>) => readonly unknown[])
  }
}

/** Declares what a collection's records go through. */
export function withLife<C extends Collection, const L extends Life<C['fields'][number]['name']>>(
  collection: C,
  life: L,
): C & { life: L } {
  return { ...collection, life }
}

/** @returns what the collection declares; nothing if it doesn't */
export function lifeOf(collection: Collection & { life?: Life }): Life {
  return collection.life ?? {}
}

/** @returns a value as text for a row's title; '' for anything but text and numbers */
export function textIn<V extends Values>(values: V, name: keyof V): string {
  const value = values[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** @returns a book's title and author, as far as its key says them, for a row's title */
export function titleInKey(values: Values<'book_key'>): string {
  return textIn(values, 'book_key').replace('|', ' · ')
}
