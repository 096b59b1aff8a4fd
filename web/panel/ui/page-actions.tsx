import { createContext, useContext, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The element for a page's own buttons, in a layout route that shows the page's heading. */
export const ActionsSlot = createContext<HTMLElement | null>(null);

/** Shows a page's own buttons beside the heading that its layout route renders. */
export function PageActions({ children }: { children: ReactNode }) {
  const slot = useContext(ActionsSlot);
  return slot && createPortal(children, slot);
}
