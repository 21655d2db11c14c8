/*
 * A browser that translates a page replaces each text node by a <font> or another text node. React
 * keeps the old node: removing it or inserting before it throws, and changing it does nothing. Here
 * such changes are made to the replacement.
 */

/** The node that took the place of a removed text. */
const standIns = new WeakMap<Node, Node>()

// oxlint-disable-next-line typescript/unbound-method -- called with a node as `this`
const { insertBefore, removeChild } = Node.prototype

/** Call it once, before React starts. */
export function followTranslation(): void {
  const changes = new MutationObserver((records) => {
    for (const { target } of records) {
      const standIn = standIns.get(target)
      if (standIn) standIn.textContent = target.nodeValue
    }
  })
  const replacements = new MutationObserver((records) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
      for (const text of removedNodes) {
        if (text.nodeType !== Node.TEXT_NODE) continue
        const standIn =
          [...addedNodes, previousSibling, nextSibling].find(isFont) ?? replacementOf(addedNodes)
        if (!standIn || text.parentNode) continue
        standIns.set(text, standIn)
        changes.observe(text, { characterData: true })
      }
  })
  replacements.observe(document, { childList: true, subtree: true })
  Node.prototype.removeChild = function removeInPlace<T extends Node>(this: Node, child: T): T {
    const inPlace = placeIn(this, child)
    if (inPlace) removeChild.call(this, inPlace)
    return child
  }
  Node.prototype.insertBefore = function insertInPlace<T extends Node>(
    this: Node,
    node: T,
    child: Node | null,
  ): T {
    insertBefore.call(this, node, child && (placeIn(this, child) ?? null))
    return node
  }
}

/** @returns the child of a node that is another or stands in its place */
function placeIn(parent: Node, node: Node): Node | undefined {
  let place: Node | null | undefined = node
  while (place && place.parentNode !== parent)
    place = isFont(place.parentNode) ? place.parentNode : standIns.get(place)
  return place ?? undefined
}

/** @returns what was put in the place of a text in one go, as React never does */
const replacementOf = (added: NodeList) => (added.length === 1 ? added[0] : undefined)

function isFont(node: Node | null): node is Element {
  return node?.nodeName === 'FONT'
}
