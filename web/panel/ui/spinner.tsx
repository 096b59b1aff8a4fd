import css from './spinner.module.css';

/** Shows that something is in progress. The text belongs beside it. */
export function Spinner({ size = 16 }: { size?: number }) {
  return (
    <svg className={css.spinner} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="9" className={css.track} />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  );
}
