/** @returns the address of a picture in one colour; it lives as long as the page */
function pictureOf(width: number, height: number, colour: string): string {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/></svg>`
  return URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }))
}

/** Covers as they come from catalogues and readers. */
export const pictures = {
  upright: pictureOf(400, 600, '#2f5d50'),
  square: pictureOf(500, 500, '#7a3b2e'),
  landscape: pictureOf(800, 500, '#33475b'),
  tall: pictureOf(200, 900, '#5b4a33'),
  white: pictureOf(400, 600, '#ffffff'),
  tiny: pictureOf(1, 1, '#000000'),
  broken: URL.createObjectURL(new Blob(['no picture'], { type: 'image/png' })),
}
