import { useLingui } from '@lingui/react/macro';
import { changedAnswers, visibleItems } from '#questionnaire/visible-items.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import { filledValues, type Answers } from '#questionnaire/values.ts';
import { Time } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { answerText } from '#web/questionnaire/review/answer-text.ts';
import type { FilledForm, FormSession } from '#web/questionnaire/filled-form.ts';
import css from '#web/questionnaire/form.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import footer from '#web/questionnaire/ui/footer.module.css';

/** Two phones filled one form: shows where they differ, and asks which to go on with. */
export function Conflict({ filling, session }: { filling: FilledForm; session: FormSession }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { conflict, questionnaire, answers, setting, form } = filling;
  const theirs = (conflict?.answers ?? {}) as Answers;
  const differing = new Set(changedAnswers(theirs, answers));
  const places = [...visibleItems(questionnaire, answers, setting), ...visibleItems(questionnaire, theirs, setting)];
  const questions = new Map(
    places.filter(({ key, item }) => item.isQuestion && differing.has(key)).map((place) => [place.key, place]),
  );
  const savedAt = conflict?.savedAt;
  const say = (of: Answers, key: string) => {
    const item = questions.get(key)?.item;
    if (!item) return '';
    const texts = filledValues(of[key]).map((value) => answerText(item, value, language) || t`Answered`);
    return texts.join(', ') || t`Not answered`;
  };
  return (
    <div className={css.form} role="alertdialog" aria-labelledby="conflict">
      <div className={css.top}>
        <p className={css.eyebrow}>{form.formName}</p>
        <h1 id="conflict">{t`Another phone changed this form`}</h1>
      </div>
      {savedAt && (
        <p>
          {t`Last saved there:`} <Time at={savedAt} />
        </p>
      )}
      <ul className={css.differences}>
        {[...questions.values()].map(({ key, item }) => (
          <li key={key}>
            <strong>{questionText(item, language)}</strong>
            <dl>
              <div>
                <dt>{t`The other phone`}</dt>
                <dd dir="auto">{say(theirs, key)}</dd>
              </div>
              <div>
                <dt>{t`This phone`}</dt>
                <dd dir="auto">{say(answers, key)}</dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
      <div className={footer.foot}>
        <button type="button" className={buttons.main} autoFocus onClick={() => session.resolveConflict('theirs')}>
          {t`Use the other phone’s answers`}
        </button>
        <button type="button" className={buttons.plain} onClick={() => session.resolveConflict('mine')}>
          {t`Keep this phone’s answers`}
        </button>
      </div>
    </div>
  );
}
