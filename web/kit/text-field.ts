import type { ChangeEvent } from 'react';

/** Binds an input to a text of a draft by its name: value, error and change handler. */
export type TextField<Name extends string> = (name: Name) => {
  name: string;
  value: string;
  error?: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
};

/** The bindings of a draft's texts. A missing text shows as an empty one. */
export function textFields<Name extends string>(
  draft: { readonly [name in Name]?: unknown },
  change: (part: { [name in Name]?: string }) => void,
  errorAt: (name: Name) => { error?: string },
): TextField<Name> {
  return (name) => {
    const value = draft[name];
    return {
      name,
      value: typeof value === 'string' ? value : '',
      ...errorAt(name),
      onChange: (event) => change({ [name]: event.target.value } as { [name in Name]?: string }),
    };
  };
}
