import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { maxOpeningsShown, revokeShare, shareEnd, type Share } from '#contract/sharing.ts';
import { call, CallError } from '#web/kit/call.ts';
import { useNow } from '#web/kit/clock.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useErrorMessage } from './error-message.ts';
import field from '#web/questionnaire/ui/field.module.css';
import css from './sharing.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { LoadingBoxes } from '#web/phone/ui/loading.tsx';
import type { Shares } from './use-shares.ts';

/** Every link of this visit: for whom, which forms, until when, and who opened it. */
export function ShareList({ token, links }: { token: string; links: Shares }) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const { shares, failed, look, show } = links;
  return (
    <section className={css.links} aria-labelledby="links-made">
      <h2 id="links-made">{t`Your links`}</h2>
      {failed && (
        <>
          <ErrorMessage>
            {failed.status === 0 ? t`No connection. We can’t load your links right now.` : errorMessage(failed)}
          </ErrorMessage>
          <button type="button" className={`${buttons.link} ${css.start}`} onClick={look}>
            {t`Try again`}
          </button>
        </>
      )}
      {shares?.length === 0 && <p className={css.note}>{t`You haven’t shared anything yet.`}</p>}
      {shares && shares.length > 0 && (
        <ul>
          {shares.map((share) => (
            <ShareItem key={share.id} token={token} share={share} onShare={show} />
          ))}
        </ul>
      )}
      {!shares && !failed && <LoadingBoxes message={t`One moment…`} />}
    </section>
  );
}

interface ShareItemProps {
  token: string;
  share: Share;
  onShare: (share: Share) => void;
}

function ShareItem({ token, share, onShare }: ShareItemProps) {
  const { t } = useLingui();
  const now = useNow();
  const name = useRef<HTMLHeadingElement>(null);
  const { sharedWith, forms } = share;
  const end = shareEnd(share, now);
  const people = new Set(forms.map(({ patientName }) => patientName));
  const changed = forms.filter(({ outdated }) => outdated).map(({ formName }) => formName);
  return (
    <li className={css.link} data-over={end !== null || undefined}>
      <div className={css.linkTop}>
        <h3 ref={name} tabIndex={-1} dir="auto">
          {sharedWith}
        </h3>
        <ShareState share={share} end={end} />
      </div>
      <ul className={css.shown}>
        {forms.map(({ submissionId, formName, patientName }) => (
          <li key={submissionId}>
            {formName}
            {people.size > 1 && (
              <>
                {' '}
                · <bdi>{patientName}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
      {end === null && changed.length > 0 && (
        <p className={css.note}>
          {t`You’ve changed ${changed.join(', ')} since. This link still shows the old version. Create a new link to share the change.`}
        </p>
      )}
      <Openings share={share} />
      {end === null && (
        <RevokeShare
          token={token}
          share={share}
          onTaken={(taken) => {
            onShare(taken);
            name.current?.focus();
          }}
        />
      )}
    </li>
  );
}

function ShareState({ share, end }: { share: Share; end: ReturnType<typeof shareEnd> }) {
  const { t } = useLingui();
  if (end === null)
    return (
      <p className={`${css.state} ${css.works}`}>
        {t`Expires`} <OfficeMoment at={share.expiresAt} />
      </p>
    );
  const state =
    end === 'expired' ? t`Expired` : share.revokedBy === 'office' ? t`Revoked by the practice` : t`Stopped by you`;
  return (
    <p className={css.state}>
      {state} <OfficeMoment at={share.revokedAt ?? share.expiresAt} />
    </p>
  );
}

function Openings({ share: { opened } }: { share: Share }) {
  const { t } = useLingui();
  const [last] = opened;
  if (!last) return <p className={field.hint}>{t`Not opened yet`}</p>;
  const deviceOf = ({ browser, system }: Share['opened'][number]) => {
    if (browser !== null && system !== null) return t`${browser} on ${system}`;
    return browser ?? system ?? t`Unknown browser`;
  };
  return (
    <details className={css.openings}>
      <summary>
        {opened.length < maxOpeningsShown
          ? t`Opened ${plural(opened.length, { one: '# time', other: '# times' })}`
          : t`Opened ${maxOpeningsShown} times or more`}
        {' · '}
        <OfficeMoment at={last.at} />
      </summary>
      <ul>
        {opened.map((opening, i) => (
          <li key={i}>
            <OfficeMoment at={opening.at} />
            <span>{opening.formName ?? t`Form list`}</span>
            <span className={css.device}>{deviceOf(opening)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface RevokeShareProps {
  token: string;
  share: Share;
  onTaken: (share: Share) => void;
}

/** Asked about in place: what was sent out once cannot be given back to them, only made anew. */
function RevokeShare({ token, share, onTaken }: RevokeShareProps) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const opener = useRef<HTMLButtonElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [refused, setRefused] = useState<CallError | null>(null);
  const questionId = `take-back-${share.id}`;

  const keep = () => {
    setIsAsking(false);
    setRefused(null);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const take = async () => {
    if (isSending) return;
    setIsSending(true);
    setRefused(null);
    try {
      onTaken(await call(revokeShare, { params: { token, shareId: share.id } }));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRefused(error);
    } finally {
      setIsSending(false);
    }
  };
  if (!isAsking)
    return (
      <button
        ref={opener}
        type="button"
        className={`${buttons.link} ${css.start} ${css.revoke}`}
        onClick={() => setIsAsking(true)}
      >
        {t`Stop sharing`}
        <VisuallyHidden> {share.sharedWith}</VisuallyHidden>
      </button>
    );
  return (
    <div
      role="group"
      aria-labelledby={questionId}
      className={css.asking}
      onKeyDown={(event) => event.key === 'Escape' && keep()}
    >
      <p id={questionId}>
        <strong>{t`Stop sharing this link?`}</strong>{' '}
        {t`The link will stop working. Anything already downloaded stays where it is.`}
      </p>
      {refused && <ErrorMessage>{errorMessage(refused)}</ErrorMessage>}
      <div className={css.pair}>
        <button type="button" className={buttons.plain} autoFocus onClick={keep}>
          {t`Keep sharing`}
        </button>
        <button type="button" className={buttons.danger} aria-busy={isSending || undefined} onClick={() => void take()}>
          {t`Stop sharing`}
        </button>
      </div>
    </div>
  );
}
