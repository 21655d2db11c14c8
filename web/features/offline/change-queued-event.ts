/** Says that a change is kept because no server answered. */
export const changeQueuedEvent = 'octavo:kept'
