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
  /** What it says, inside a call: that decides about the statement, unlike other texts. */
  text?: string | undefined
}

/** A path such as `owner.name:lower`, a macro such as `@now`, or null, true, false. */
export interface Name {
  type: 'name'
  name: string
}

/** `strftime("%Y", created)`: see ./functions.ts. */
export interface Call {
  type: 'call'
  name: string
  args: readonly Expression[]
}

/** A side of a comparison, or what a function is given. */
export type Expression = Literal | Name | Call

export interface Comparison {
  type: 'comparison'
  left: Expression
  operator: Operator
  /** `?=`: one of many values is enough. */
  any: boolean
  right: Expression
}

interface Group {
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
