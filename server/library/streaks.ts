/** How many days a reader has read in streaks. */
export interface Streaks {
  longest: number
  /** Of the one that reading today would go on with; 0 for none. */
  current: number
}

/**
 * Finds the streaks of some days of reading. A streak is a stretch of days in which no seven days in
 * a row have more days off than the reader allows; it counts the days of reading alone.
 *
 * @param days numbered, in ascending order, each once
 * @param daysOff a week, less than seven
 */
export function findStreaks(days: readonly number[], today: number, daysOff: number): Streaks {
  const last = days.at(-1)
  const isOver = last === undefined || last >= today
  const lengths = lengthsOfStreaks(isOver ? days : [...days, today], daysOff)
  const latest = lengths.at(-1) ?? 0
  return {
    longest: Math.max(0, ...lengths.slice(0, days.length)),
    // A streak isn't lost before the day is over.
    current: isOver ? latest : latest - 1,
  }
}

/** @returns the days of reading in the longest streak that ends on each day */
function lengthsOfStreaks(days: readonly number[], daysOff: number): number[] {
  let first = 0
  let missed: number[] = []
  return days.map((day, i) => {
    const previous = days[i - 1] ?? day - 1
    if (day - previous - 1 > daysOff) {
      first = i
      missed = []
    }
    for (let off = previous + 1; off < day && first < i; off++) {
      missed.push(off)
      const earliest = missed.at(-1 - daysOff)
      // One day off too many within a week: the streak begins after the first of them.
      if (earliest !== undefined && off - earliest < 7) while (days[first]! < earliest) first++
    }
    return i - first + 1
  })
}
