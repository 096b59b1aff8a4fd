const black = '#000000';
export const white = '#ffffff';
/** WCAG 2.1 AA: of text, and of a control against what is around it. */
export const leastTextContrast = 4.5;
export const leastControlContrast = 3;

/** The contrast of two colors #rrggbb by WCAG 2, from 1 to 21, rounded down to one decimal: it never looks better than it is. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return Math.floor(((light + 0.05) / (dark + 0.05)) * 10) / 10;
}

/** The color of the chat's text on a color: black or white, whichever is easier to read. The widget chooses by the same rule. */
export const inkOn = (color: string): string => (contrastOf(color, white) >= contrastOf(color, black) ? white : black);

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
