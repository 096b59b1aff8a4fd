/** What stands beside or in place of few questions. */
export { CalculationNote, PrefilledNote } from './calculation-note.tsx';
export { EarlierNote, HouseholdNote } from './copied-notes.tsx';
export { FixedAnswer, NotAnswerable } from './fixed-answer.tsx';
