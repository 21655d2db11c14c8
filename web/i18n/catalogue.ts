import catalogue from 'messages/catalogue'
import { area } from './area.ts'
import type messages from './messages/en/catalogue.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
