/**
 * Whether something noted at a time has to be noted again.
 *
 * @param time milliseconds since 1970, as are `now` and the `life` that has to pass
 * @returns whether it is longer ago; one from the future was noted while the clock was ahead, and
 *   counts as old
 */
export const isLongAgo = (time: number, life: number, now: number): boolean =>
  time > now || now - time > life
