import { Promo } from '#web/panel/features/demo-request/promo.tsx';
import { PublicDocuments } from './public-documents.tsx';

/** Below everything that stands before the panel: what the product is, and the documents anyone may read. */
export function EntryFooter({ email }: { email?: string | undefined }) {
  return (
    <>
      <Promo email={email} />
      <PublicDocuments />
    </>
  );
}
