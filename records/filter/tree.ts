import { ApiError } from '../errors.ts'

/** An operator without its `?`: `a ?= 1` has the operator `=` and `any`. */
export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~'

/** A literal of the filter. Its value is bound when the statement runs. */
export interface Literal {
  type: 'text' | 'number'
  /** Its position among the filter's literals, from 0. */
  index: number
  /**
   * Whether it is the empty text, which also equals missing values and so needs a different
   * statement.
   */
  empty: boolean
  /** Its value if it is a call's argument, which shapes the statement, unlike other literals. */
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

/** A side of a comparison, or a function's argument. */
export type Expression = Literal | Name | Call

export interface Comparison {
  type: 'comparison'
  left: Expression
  operator: Operator
  /** `?=`: it is enough if one related value matches. */
  any: boolean
  right: Expression
}

interface Group {
  type: 'and' | 'or'
  nodes: readonly Node[]
}

export type Node = Comparison | Group

/** An invalid filter or sort. The reason goes to the log, not to the client. */
export class FilterError extends ApiError {
  constructor(reason: string) {
    super(400, '', {}, new Error(reason))
    this.name = 'FilterError'
  }
}
