import { useState } from 'react';

export interface Selection {
  keys: ReadonlySet<string>;
  select: (keys: readonly string[], selected: boolean) => void;
  clear: () => void;
}

/** The selected forms of one search, on all of its pages. Another search starts with none. */
export function useSelection(search: string): Selection {
  const [state, setState] = useState({ search, keys: new Set<string>() });
  const clear = () => setState({ search, keys: new Set() });
  if (state.search !== search) clear();
  const select = (keys: readonly string[], selected: boolean) =>
    setState((before) => {
      const after = new Set(before.keys);
      for (const key of keys) {
        if (selected) after.add(key);
        else after.delete(key);
      }
      return { search, keys: after };
    });
  return { keys: state.keys, select, clear };
}
