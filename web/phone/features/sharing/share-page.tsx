import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { NewLinkCard, type NewLink } from './new-link.tsx';
import { noteUnsaved } from '#web/phone/ui/unsaved.ts';
import { ChevronLeftIcon as BackIcon } from '#web/icons/chevron-left.tsx';
import type { FormToShare } from './share-draft.ts';
import { ShareForm } from './share-form.tsx';
import { ShareList } from './share-list.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './sharing.module.css';
import { useShares } from './use-shares.ts';

export { loadMessages as ready } from './messages.ts';

interface SharePageProps {
  token: string;
  /** The submitted forms, in the order of the visit's list; null until it is loaded. */
  forms: FormToShare[] | null;
  onVisit: () => void;
}

/** The new link stays while the patient looks at another page of the visit, because the server sends its address only once. */
let lastMade: { token: string; made: NewLink } | null = null;

/** `/visit/{token}/forms/share`: creates links to forms for recipients outside the practice, and lists them. */
export function SharePage({ token, forms, onVisit }: SharePageProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const [made, setMade] = useState(lastMade?.token === token ? lastMade.made : null);
  const links = useShares(token);
  const keep = (now: NewLink | null) => {
    lastMade = now && { token, made: now };
    noteUnsaved('a link shown once', now !== null);
    setMade(now);
  };
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  const back = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onVisit();
  };
  // Once the patient stops sharing it in the list below, its address leads nowhere.
  const isGone = made && links.shares?.some(({ id, revokedAt }) => id === made.share.id && revokedAt !== null);
  return (
    <div className={css.page}>
      <div>
        <a className={`${buttons.link} ${css.start}`} href={`/visit/${token}`} onClick={back}>
          <BackIcon />
          {t`Back to your visit`}
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {t`Share your forms`}
        </h1>
      </div>
      {made && !isGone ? (
        <NewLinkCard
          made={made}
          onAnother={() => {
            keep(null);
            heading.current?.focus();
          }}
        />
      ) : (
        forms && (
          <ShareForm
            token={token}
            forms={forms}
            onMade={(now) => {
              links.show(now.share);
              keep(now);
            }}
          />
        )
      )}
      <ShareList token={token} links={links} />
    </div>
  );
}
