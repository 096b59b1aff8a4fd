export {
  AddressInputs,
  AgesInput,
  ContactInputs,
  EmailInput,
  SoftwareAndSize,
  SoftwareSelect,
  TimeZoneSelect,
} from './practice-inputs.tsx';
