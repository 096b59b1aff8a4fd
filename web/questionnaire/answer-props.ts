import type { ReactNode } from 'react';
import type { Value } from '#questionnaire/values.ts';
import type { VisibleItem } from '#questionnaire/visible-items.ts';

export interface AnswerProps {
  place: VisibleItem;
  values: readonly Value[];
  /** For the field, or the first of several. */
  id: string;
  describedBy: string | undefined;
  isWrong: boolean;
  onAnswer: (values: readonly Value[]) => void;
}

export interface SingleAnswerProps extends Omit<AnswerProps, 'values' | 'onAnswer'> {
  value: Value | undefined;
  /** What a field is called that has no label of its own. */
  label: string | undefined;
  onValue: (value: Value | undefined) => void;
}

export interface RepeatedAnswerProps extends AnswerProps {
  one: (props: SingleAnswerProps) => ReactNode;
}
