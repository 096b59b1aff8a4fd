/** The readable text color on a color `#rrggbb`: the one of black and white with the higher contrast, which is at least 4.5:1 on any color. */
export function readableOn(color: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(color);
  const withWhite = 1.05 / (luminance + 0.05);
  const withBlack = (luminance + 0.05) / 0.05;
  return withWhite >= withBlack ? '#ffffff' : '#000000';
}

/** Relative luminance as WCAG 2 defines it. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Shows the header and the main buttons in the practice's color. */
export function showOfficeColor(color: string): void {
  const onColor = readableOn(color);
  // Away from the text, so that the contrast only grows.
  const hover = `color-mix(in srgb, ${color} 85%, ${onColor === '#ffffff' ? 'black' : 'white'})`;
  const { style } = document.documentElement;
  style.setProperty('--accent', color);
  style.setProperty('--accent-hover', hover);
  style.setProperty('--on-accent', onColor);
}
