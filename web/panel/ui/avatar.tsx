import css from './avatar.module.css';

/** The first letters of the first and the last word of a name; whole characters in other scripts too. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => Array.from(word ?? '')[0] ?? '',
  );
  return letters.join('').toLocaleUpperCase();
}

/** Decorative: the name is shown beside it. */
export function Avatar({ name, size = 36 }: { name: string; size?: 36 | 48 }) {
  return (
    <span className={size === 48 ? `${css.avatar} ${css.large}` : css.avatar} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
