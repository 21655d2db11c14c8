import catalogue from 'messages/books'
import { area } from './area.ts'
import type messages from './messages/en/books.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
