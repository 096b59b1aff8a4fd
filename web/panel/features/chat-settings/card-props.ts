import type { Draft } from './chat-settings-draft.ts';

/** The error of a field, as the property of its input. */
export type ErrorAt = (field: string) => { error: string } | undefined;

export interface CardProps {
  draft: Draft;
  /** A function gets the draft as it is then: an undo comes after more typing. */
  onEdit: (change: Partial<Draft> | ((now: Draft) => Partial<Draft>)) => void;
  errorAt: ErrorAt;
}
