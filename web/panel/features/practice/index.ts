export {
  AddressInputs,
  AgesInput,
  ContactInputs,
  EmailInput,
  SoftwareAndSize,
  SoftwareSelect,
  TimeZoneSelect,
} from './practice-inputs.tsx';
export { usePoster } from './use-poster.ts';
