import catalogue from 'messages/goals'
import { area } from './area.ts'
import type messages from './messages/en/goals.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
