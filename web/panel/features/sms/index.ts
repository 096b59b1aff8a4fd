export { BulkForm } from './bulk-form.tsx';
export { TextSize } from './message-field.tsx';
export { Outbox } from './outbox.tsx';
export { listFiles, useListErrorText, usePhoneList } from './use-phone-list.ts';
export { useOffice } from './use-sms.ts';
