import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { NewLinkCard, type NewLink } from './new-link.tsx';
import { ChevronLeftIcon as BackIcon } from '#web/icons/chevron-left.tsx';
import { ShareForm, type FormToShare } from './share-form.tsx';
import { ShareList } from './share-list.tsx';
import css from './sharing.module.css';
import { useShares } from './use-shares.ts';

export { loadMessages as ready } from './messages.ts';

interface SharePageProps {
  token: string;
  /** What was submitted, in the order of the visit's list; null before that is known. */
  forms: FormToShare[] | null;
  onVisit: () => void;
}

/** The link that was just made, also while the patient looks at another page of the visit: its address is told only once. */
let lastMade: { token: string; made: NewLink } | null = null;

/** `/visit/{token}/forms/share`: makes links by which somebody outside reads forms, and lists those that were made. */
export function SharePage({ token, forms, onVisit }: SharePageProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const [made, setMade] = useState(lastMade?.token === token ? lastMade.made : null);
  const links = useShares(token);
  const keep = (now: NewLink | null) => {
    lastMade = now && { token, made: now };
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
  // Taken back in the list below, its address leads nowhere.
  const isGone = made && links.shares?.some(({ id, revokedAt }) => id === made.share.id && revokedAt !== null);
  return (
    <div className={css.page}>
      <div className={css.top}>
        <a className={css.back} href={`/visit/${token}`} onClick={back}>
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
