import css from './avatar.module.css';

/** First letters of the first and the last word of a name, whole characters also in other scripts. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => Array.from(word ?? '')[0] ?? '',
  );
  return letters.join('').toLocaleUpperCase();
}

/** Decoration: the name stands beside it. */
export function Avatar({ name, size = 36 }: { name: string; size?: 36 | 48 }) {
  return (
    <span className={size === 48 ? `${css.avatar} ${css.large}` : css.avatar} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
