/** @returns the IANA name of the time zone that the device is set to */
export const deviceTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
