import { contrastRatio } from '#web/kit/contrast.ts';

export const white = '#ffffff';
/** WCAG 2.1 AA: of text, and of a control against what is around it. */
export const leastTextContrast = 4.5;
export const leastControlContrast = 3;

/** The contrast of two colors as the settings show it: rounded down to one decimal, so that it never looks better than it is. */
export const contrastOf = (one: string, other: string): number => Math.floor(contrastRatio(one, other) * 10) / 10;
