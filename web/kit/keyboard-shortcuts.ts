import { useEffect, useEffectEvent } from 'react';
import { createStore, useStore } from './store.ts';

/**
 * Keyboard shortcuts. A binding is a lowercase key name (`j`, `/`, `?`, `escape`), `shift+` and a letter, or `mod+` and a key (Ctrl, on a
 * Mac also Command).
 */
export type Keys = Record<string, (event: KeyboardEvent) => void>;

const registered: { run: (binding: string, event: KeyboardEvent) => boolean; inDialog: boolean }[] = [];
/** These repeat while the key is held down. Everything else happens once, or one long press would act on one patient after another. */
const mayRepeat = new Set(['j', 'k']);
const alsoWhileTyping = new Set(['mod+k', 'mod+enter']);
const typing = 'input:not([type=checkbox],[type=radio],[type=button]),textarea,select,[contenteditable=true]';
/** A listbox that leaves letter keys to the page has `data-keys`. */
const ownKeys = '[role=menu],[role=listbox]:not([data-keys]),[role=combobox],[role=radiogroup],[role=slider]';

const singleKeys = createStore(true);

/** Turns single-letter shortcuts on or off for this person (WCAG 2.1.4). */
export const setSingleKeys = (on: boolean): void => singleKeys.set(on);

/** Whether single-letter shortcuts are on; if not, the hints in buttons are hidden. */
export const useSingleKeys = (): boolean => useStore(singleKeys);

/**
 * Binds keys while the component is mounted; the last one mounted wins. They are ignored while somebody types and behind an open dialog; a
 * dialog's own keys set `inDialog`.
 */
export function useKeys(keys: Keys, { inDialog = false, enabled = true } = {}): void {
  const run = useEffectEvent((binding: string, event: KeyboardEvent) => {
    const bound = enabled ? keys[binding] : undefined;
    if (!bound) return false;
    event.preventDefault();
    if (!event.repeat || mayRepeat.has(binding)) bound(event);
    return true;
  });
  useEffect(() => {
    const entry = { run: (binding: string, event: KeyboardEvent) => run(binding, event), inDialog };
    if (registered.length === 0) document.addEventListener('keydown', onKeyDown);
    registered.push(entry);
    return () => {
      registered.splice(registered.indexOf(entry), 1);
      if (registered.length === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, [inDialog]);
}

function onKeyDown(event: KeyboardEvent): void {
  const binding = bindingOf(event);
  if (!binding || event.defaultPrevented || event.isComposing) return;
  const dialogOpen = document.querySelector('dialog:modal') !== null;
  for (const entry of registered.toReversed()) {
    if (dialogOpen === entry.inDialog && entry.run(binding, event)) return;
  }
}

/** The binding of a key press; undefined if the key belongs to the field, menu or browser. */
function bindingOf(event: KeyboardEvent): string | undefined {
  const target = event.target instanceof Element ? event.target : null;
  const key = event.key.toLowerCase();
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey || target?.closest(ownKeys)) return undefined;
  const binding = mod ? `mod+${key}` : key;
  if (target?.closest(typing) && !alsoWhileTyping.has(binding)) return undefined;
  if (mod) return binding;
  const letter = key.length === 1;
  if (letter && !singleKeys.get()) return undefined;
  return event.shiftKey && /[a-z]/.test(key) && letter ? `shift+${binding}` : binding;
}
