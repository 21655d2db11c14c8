import { ApiError } from '../errors.ts'

/** `a = 1`, `a ?= 1` and the like: see the operators of the filter language. */
export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~'

/** A value that stands in the text; what it is follows when the statement is bound. */
export interface Literal {
  type: 'text' | 'number'
  /** Which of the text's literals, from 0. */
  index: number
  /** Whether it is the empty text: that compares to nothing at all, and so is another statement. */
  empty: boolean
}

/** A path such as `owner.name:lower`, a macro such as `@now`, or null, true, false. */
export interface Name {
  type: 'name'
  name: string
}

export interface Comparison {
  type: 'comparison'
  left: Literal | Name
  operator: Operator
  /** `?=`: one of many values is enough. */
  any: boolean
  right: Literal | Name
}

export interface Group {
  type: 'and' | 'or'
  nodes: readonly Node[]
}

export type Node = Comparison | Group

/** A filter or sort that cannot be followed. The reason is for the log, not for the caller. */
export class FilterError extends ApiError {
  constructor(reason: string) {
    super(400, '', {}, new Error(reason))
    this.name = 'FilterError'
  }
}
