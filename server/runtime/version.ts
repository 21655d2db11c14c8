import about from '../../package.json' with { type: 'json' }

/** The version of this code, such as `1.2.0`. */
export const version = about.version
