export {
  AddressInputs,
  AgesInput,
  ContactInputs,
  EmailInput,
  SoftwareAndSize,
  SoftwareSelect,
  TimeZoneSelect,
} from './practice-inputs.tsx';
export { useQueueSettings } from './use-queue-settings.ts';
export { usePoster } from './use-poster.ts';
export { toWeek, toWeekDraft, weekProblemsOf, type DayDraft, type WeekProblem } from './week-draft.ts';
export { WeekHours } from './week-hours.tsx';
