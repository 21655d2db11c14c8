/** White text has a contrast of 4.5:1 or more on each. */
export const avatarColours = [
  '#8b2c2c',
  '#9a4a1c',
  '#7d5a10',
  '#566217',
  '#2f6b36',
  '#1d6b58',
  '#1a6672',
  '#26609a',
  '#3f51a3',
  '#5b479c',
  '#7a3f93',
  '#93386f',
  '#6b5346',
  '#4f5b66',
] as const

/** One of the fourteen, by the character code of the name's first letter. */
export function avatarColour(name: string): string {
  const code = name.trim().toLowerCase().charCodeAt(0)
  return avatarColours[(Number.isNaN(code) ? 0 : code) % avatarColours.length] as string
}
