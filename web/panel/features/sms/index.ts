export { BulkForm } from './bulk-form.tsx';
export { Outbox } from './outbox.tsx';
export type { ListMode } from './rows-draft.ts';
export { listFiles, useListErrorText, usePhoneList } from './use-phone-list.ts';
export { useOffice } from './use-sms.ts';
export { ZoneNote } from './zone-note.tsx';
