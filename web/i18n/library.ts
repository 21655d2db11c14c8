import catalogue from 'messages/library'
import { area } from './area.ts'
import type messages from './messages/en/library.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
