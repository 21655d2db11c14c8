import catalogue from 'messages/palette'
import { area } from './area.ts'
import type messages from './messages/en/palette.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
