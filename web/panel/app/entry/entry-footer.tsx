import { Promo } from '#web/panel/features/demo-request/promo.tsx';
import { PublicDocuments } from './public-documents.tsx';

/** The footer of the pages before the dashboards: what the product is, and the public documents. */
export function EntryFooter({ email }: { email?: string | undefined }) {
  return (
    <>
      <Promo email={email} />
      <PublicDocuments />
    </>
  );
}
