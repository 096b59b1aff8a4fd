import { useState } from 'react';

export interface EditableOptions<Saved, Draft> {
  toDraft: (saved: Saved) => Draft;
  isChanged: (draft: Draft, base: Saved) => boolean;
  isSame?: (a: Saved, b: Saved) => boolean;
}

/**
 * A draft of something saved on the server. The draft survives failed saves and saves by colleagues (`overtaken`) until `restart`;
 * an unchanged draft follows the saved value.
 */
export function useEditable<Saved, Draft>(saved: Saved, options: EditableOptions<Saved, Draft>) {
  const { toDraft, isChanged, isSame = hasSameJson } = options;
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(() => toDraft(saved));
  const restart = (from: Saved) => {
    setBase(from);
    setDraft(toDraft(from));
  };
  const changed = isChanged(draft, base);
  const isStale = !isSame(saved, base);
  if (isStale && !changed) restart(saved);
  return { base, draft, setDraft, changed, overtaken: isStale && changed, restart };
}

const hasSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
