/** The relations to include, each with those to include in what it leads to. */
export type ExpandTree = ReadonlyMap<string, ExpandTree>

const maxLevels = 6
/** Relations in one request; each costs a statement. */
const maxRelations = 50

/** What `expand` asks for; what is too deep or too much is left out, as what is unknown is. */
export function parseExpand(text: string | undefined): ExpandTree {
  const tree: Tree = new Map()
  let relations = 0
  for (const path of text?.replaceAll(/\s/g, '').split(',') ?? []) {
    let at = tree
    for (const name of path.split('.').slice(0, maxLevels)) {
      if (!name) break
      let next = at.get(name)
      if (!next) {
        if (relations++ >= maxRelations) return tree
        at.set(name, (next = new Map()))
      }
      at = next
    }
  }
  return tree
}
interface Tree extends Map<string, Tree> {}
