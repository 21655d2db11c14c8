interface ItemProps {
  /** The item's position, recreated each time the list renders. */
  item?: object | undefined
}

function isSame(one: object, other: object): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Reflect.get(one, name) === Reflect.get(other, name))
  )
}

/** For `memo`: whether an item of a list has stayed as it was, though the list was drawn again. */
export function isSameItem<Props extends ItemProps>(before: Props, after: Props): boolean {
  const { item: placeBefore = {}, ...restBefore } = before
  const { item: placeAfter = {}, ...restAfter } = after
  return isSame(placeBefore, placeAfter) && isSame(restBefore, restAfter)
}
