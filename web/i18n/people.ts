import catalogue from 'messages/people'
import { area } from './area.ts'
import type messages from './messages/en/people.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
