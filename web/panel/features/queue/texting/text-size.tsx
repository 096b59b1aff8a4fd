import { Plural, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { firstSpecial, sizeOfText } from '#contract/text-segments.ts';

/** Characters, how many texts a carrier bills for them, and the character for which a text holds fewer. */
export function TextSize({ text, inAll }: { text: string; inAll?: ReactNode }) {
  const { t } = useLingui();
  const { characters, segments } = sizeOfText(text.trim());
  const special = firstSpecial(text.trim());
  return (
    <>
      <Plural value={characters} one="# character" other="# characters" /> ·{' '}
      <Plural value={segments} one="# text" other="# texts" />
      {inAll}
      {special !== null && <>. {t`Because of “${special}”, a text holds 70 characters, not 160.`}</>}
    </>
  );
}
