/** The relations to expand, each with the relations to expand in the related records. */
export type ExpandTree = ReadonlyMap<string, ExpandTree>

const maxLevels = 6
/** Relations to expand in one request, as each costs a statement. */
const maxRelations = 50

/** Parses `expand`. Relations that are too deep or too many are ignored, just like unknown ones. */
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
