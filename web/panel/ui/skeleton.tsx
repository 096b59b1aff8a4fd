import css from './skeleton.module.css';

/** A placeholder for content that is loading. Invisible for the first 200 ms, so that a quick response does not flicker. */
export function Skeleton({
  width = '100%',
  height = 16,
  round = false,
}: {
  width?: string | number;
  height?: number;
  round?: boolean;
}) {
  return (
    <span className={css.bone} style={{ width, height, borderRadius: round ? '50%' : undefined }} aria-hidden="true" />
  );
}
