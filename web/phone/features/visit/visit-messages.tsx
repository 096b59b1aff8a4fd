import { useLingui } from '@lingui/react/macro';
import type { PatientVisit } from '#contract/patient.ts';
import { Time } from '#web/kit/format.tsx';
import { later } from '#web/phone/ui/later.tsx';
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

/** What the practice and the patient wrote, the newest first: it is what matters now. A link that shows the messages can also answer them. */
export function VisitMessages({ token, visit, isDeskWriting, onVisit }: VisitMessagesProps) {
  const { t } = useLingui();
  const { messages } = visit;
  const mayAnswer = visit.access === 'all';
  const isWriting = isDeskWriting && mayAnswer;
  return (
    <div className={css.section}>
      {(messages.length > 0 || mayAnswer) && <h2>{t`Messages`}</h2>}
      {mayAnswer && <AnswerBox token={token} onVisit={onVisit} />}
      <div role="log" aria-label={t`Messages`} className={css.log}>
        {(messages.length > 0 || isWriting) && (
          <ul className={css.messages}>
            {isWriting && (
              <li className={`${css.message} ${css.office}`}>
                <p className={css.sender}>{t`Front desk`}</p>
                <p>{t`Writing...`}</p>
              </li>
            )}
            {messages.toReversed().map((message) => (
              <Message key={message.id} token={token} message={message} />
            ))}
          </ul>
        )}
        {visit.hasOlderMessages && <p className={css.older}>{t`Older messages are not shown.`}</p>}
      </div>
    </div>
  );
}

function Message({ token, message }: { token: string; message: PatientVisit['messages'][number] }) {
  const { t } = useLingui();
  const { at, from, body, picture, missingPicture } = message;
  return (
    <li className={`${css.message} ${css[from]}`}>
      <p className={css.sender}>{from === 'office' ? t`Front desk` : t`You`}</p>
      {picture && <VisitPicture token={token} picture={picture} words={body} />}
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
