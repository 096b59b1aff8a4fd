import { useLingui } from '@lingui/react/macro';
import type { Writer } from './use-writing.ts';
import css from './writing-note.module.css';

/** Says that somebody else is writing. Its space is reserved, so that nothing jumps. */
export function WritingNote({ writer }: { writer: Writer | null }) {
  const { t } = useLingui();
  return (
    <p className={css.writing} role="status">
      {writer === 'colleague' && t`A colleague is writing…`}
      {writer === 'patient' && t`Writing...`}
    </p>
  );
}
