/** Says that a change is kept because no server answered. */
export const keptEvent = 'octavo:kept'
