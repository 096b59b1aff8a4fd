import type { Draft } from './message-settings-draft.ts';

/** The error of a field, as the property of its input. */
export type ErrorAt = (field: string) => { error: string } | undefined;

export interface CardProps {
  draft: Draft;
  onEdit: (change: Partial<Draft>) => void;
  errorAt: ErrorAt;
}
