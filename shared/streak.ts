/** How many days a week without reading a streak can survive; the first is the default. */
export const streakDaysOff = ['0', '1', '2'] as const
