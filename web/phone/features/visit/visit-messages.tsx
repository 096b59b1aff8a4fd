import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { Time } from '#web/kit/format.tsx';
import { later } from '#web/phone/ui/later.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './visit-messages.module.css';

/** The patient's answers and pictures: only a page that was opened from a text shows them. */
async function loadConversation() {
  const { conversation, loadMessages } = await import('./conversation/index.ts');
  await loadMessages();
  return conversation;
}
const AnswerBox = later(async () => (await loadConversation()).AnswerBox, <div className={css.answerSpace} />);
const VisitPicture = later(async () => (await loadConversation()).VisitPicture, <span className={css.pictureSpace} />);

interface VisitMessagesProps {
  token: string;
  visit: PatientVisit;
  isDeskWriting: boolean;
  onVisit: (visit: PatientVisit) => void;
}

/** More would push the forms off the screen. */
const shownAtFirst = 3;
const headingId = 'messages';

/** Moves the focus to the messages, and scrolls to them. */
export const showMessages = () => document.getElementById(headingId)?.focus();

export const newestMessage = () => document.querySelector<HTMLElement>(`#${headingId} + [role=log] li`);

/** What the practice and the patient wrote, the newest first: it is what matters now. A link that shows the messages can also answer them. */
export function VisitMessages({ token, visit, isDeskWriting, onVisit }: VisitMessagesProps) {
  const { t } = useLingui();
  const [showsAll, setShowsAll] = useState(false);
  const newestFirst = visit.messages.toReversed();
  const shown = showsAll ? newestFirst : newestFirst.slice(0, shownAtFirst);
  const mayAnswer = visit.access === 'all';
  const hasMessages = newestFirst.length > 0;
  return (
    <div className={css.section}>
      {(hasMessages || mayAnswer) && (
        <h2 id={headingId} tabIndex={-1}>
          {t`Messages`}
        </h2>
      )}
      <div role="log" aria-label={t`Messages`} className={css.log}>
        {/* Beside the heading, so that nothing moves when it comes and goes. */}
        {isDeskWriting && mayAnswer && <p className={css.writing}>{t`Writing...`}</p>}
        {hasMessages && (
          <ul className={css.messages}>
            {shown.map((message) => (
              <Message key={message.id} token={token} message={message} />
            ))}
          </ul>
        )}
        {showsAll && visit.hasOlderMessages && <p className={css.older}>{t`Older messages are not shown.`}</p>}
      </div>
      {shown.length < newestFirst.length && (
        <button type="button" className={buttons.link} onClick={() => setShowsAll(true)}>
          {t`Earlier messages`}
        </button>
      )}
      {mayAnswer && <AnswerBox token={token} onVisit={onVisit} />}
    </div>
  );
}

function Message({ token, message }: { token: string; message: PatientVisit['messages'][number] }) {
  const { t } = useLingui();
  const { at, from, body, picture, missingPicture } = message;
  return (
    <li className={`${css.message} ${css[from]}`}>
      <p className={css.sender}>{from === 'office' ? t`Front desk` : t`You`}</p>
      {picture && <VisitPicture token={token} picture={picture} text={body} />}
      {missingPicture && (
        <p>
          {missingPicture === 'fetching'
            ? t`Your picture will be here in a moment.`
            : t`The front desk did not get your picture.`}
        </p>
      )}
      {body.trim() !== '' && <p dir="auto">{body}</p>}
      <p className={css.time}>
        <Time at={at} />
      </p>
    </li>
  );
}
