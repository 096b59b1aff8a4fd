import { Plural, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { firstSpecial, sizeOfText } from '#contract/text-segments.ts';
import css from './text-size.module.css';

/** Characters, how many texts a carrier bills for them, and the encoding, which decides how many fit in one, with what makes it the larger one. */
export function TextSize({ text, inAll }: { text: string; inAll?: ReactNode }) {
  const { t } = useLingui();
  const { encoding, characters, segments } = sizeOfText(text.trim());
  const special = firstSpecial(text.trim());
  return (
    <>
      <Plural value={characters} one="# character" other="# characters" /> ·{' '}
      <Plural value={segments} one="# text" other="# texts" /> {inAll}· <span className={css.encoding}>{encoding}</span>
      {special !== null && <>. {t`Because of “${special}”, a text holds 70 characters, not 160.`}</>}
    </>
  );
}
