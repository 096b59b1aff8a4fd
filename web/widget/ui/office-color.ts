import { readableOn } from '#web/kit/contrast.ts';

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
