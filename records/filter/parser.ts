import type { Token } from './lexer.ts'
import { FilterError, type Comparison, type Expression, type Node } from './tree.ts'

/** Comparisons in one filter or rule. */
const maxComparisons = 200
/** Nesting of parentheses. */
const maxDepth = 32
const maxCalls = 3
/** Arguments of one call. */
const maxArgs = 10

/**
 * Parses a filter into a tree; `&&` binds tighter than `||`.
 *
 * @throws FilterError if the filter is invalid or exceeds a limit
 */
export function parse(tokens: readonly Token[]): Node {
  let at = 0
  let comparisons = 0
  const tree = disjunction(0)
  if (at < tokens.length) throw new FilterError('trailing tokens')
  return tree

  function disjunction(depth: number): Node {
    if (depth > maxDepth) throw new FilterError('parentheses nested too deep')
    return sequence('or', () => sequence('and', () => term(depth)))
  }

  function sequence(type: 'and' | 'or', next: () => Node): Node {
    const nodes = [next()]
    for (
      let token = tokens[at];
      token?.type === 'join' && token.join === type;
      token = tokens[at]
    ) {
      at++
      nodes.push(next())
    }
    return nodes.length === 1 ? nodes[0]! : { type, nodes }
  }

  function term(depth: number): Node {
    if (tokens[at]?.type !== '(') return comparison()
    at++
    const inner = disjunction(depth + 1)
    if (tokens[at++]?.type !== ')') throw new FilterError('missing )')
    return inner
  }

  function comparison(): Comparison {
    if (++comparisons > maxComparisons) throw new FilterError('too many comparisons')
    const left = operand(0)
    const sign = tokens[at++]
    if (sign?.type !== 'operator') throw new FilterError('missing operator')
    return { type: 'comparison', left, operator: sign.operator, any: sign.any, right: operand(0) }
  }

  function operand(calls: number): Expression {
    const token = tokens[at++]
    switch (token?.type) {
      case 'text':
      case 'number':
        return { type: token.type, index: token.index, empty: token.empty, text: token.text }
      case 'name':
        return token
      case 'call':
        if (calls === maxCalls) throw new FilterError('calls nested too deep')
        return { type: 'call', name: token.name, args: args(calls + 1) }
      default:
        throw new FilterError('missing operand')
    }
  }

  function args(calls: number): Expression[] {
    const found: Expression[] = []
    if (tokens[at]?.type === ')') at++
    else
      for (let next = ','; next === ','; next = tokens[at++]?.type ?? '') {
        if (found.length === maxArgs) throw new FilterError('too many arguments')
        found.push(operand(calls))
        if (tokens[at]?.type !== ',' && tokens[at]?.type !== ')') throw new FilterError('missing )')
      }
    return found
  }
}
