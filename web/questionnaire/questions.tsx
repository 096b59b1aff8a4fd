import { useId } from 'react';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import { textOf, urls } from '#questionnaire/extensions.ts';
import { helpOf, isEditable, type FormItem } from '#questionnaire/form-item.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import { isOverwritten, withOverwritten } from '#questionnaire/overwritten.ts';
import type { Page } from '#questionnaire/pages.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import { isSameValue, type Answers, type Value } from '#questionnaire/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { ItemMedia, ItemText } from './item-text.tsx';
import { Later, usePart } from './lazy-parts.ts';
import { ProblemMessage } from './problem-message.tsx';
import { Question } from './question.tsx';
import { SupportLinks } from './support-link.tsx';
import css from './question.module.css';
import fields from '#web/questionnaire/ui/field.module.css';

interface QuestionsProps {
  page: Page;
  answers: Answers;
  /** What the visit knows about the patient and filled in. */
  prefilled: Answers;
  /** Problems by the key of the answers. */
  problems: ReadonlyMap<string, Problem>;
  /** What the form's expressions decided. */
  setting?: EvaluationContext;
  onAnswer: (place: VisibleItem, values: readonly Value[]) => void;
  onChange: (answers: Answers) => void;
}

interface Branch {
  place: VisibleItem;
  branches: Branch[];
}

/** The items of a page as they are nested. */
function branchesOf(items: readonly VisibleItem[]): Branch[] {
  const roots: Branch[] = [];
  const path: Branch[] = [];
  for (const place of items) {
    while (path.length > 0 && (path.at(-1)?.place.level ?? 0) >= place.level) path.pop();
    const branch = { place, branches: [] };
    (path.at(-1)?.branches ?? roots).push(branch);
    path.push(branch);
  }
  return roots;
}

const none: readonly Value[] = [];

/** The items of one page: texts to read, questions, groups and repeating groups. */
export function Questions(props: QuestionsProps) {
  const roots = branchesOf(props.page.items);
  return <Branches {...props} branches={roots} />;
}

function Branches({ branches, ...props }: QuestionsProps & { branches: readonly Branch[] }) {
  return branches.map((branch) => <One key={branch.place.id} {...props} branch={branch} />);
}

function One({ branch, ...props }: QuestionsProps & { branch: Branch }) {
  const language = useLanguage();
  const { place, branches } = branch;
  const { item, key } = place;
  if (item.type === 'group') return <Group {...props} branch={branch} />;
  if (item.type === 'display')
    return (
      <div className={css.reading}>
        <ItemText item={item} /> <SupportLinks item={item} />
        <ItemMedia item={item} />
      </div>
    );
  if (item.type === 'unknown')
    return (
      <div className={css.unknown}>
        <p>{questionText(item, language)}</p>
        <Later part="notes" show={({ NotAnswerable }) => <NotAnswerable />} />
        <Branches {...props} branches={branches} />
      </div>
    );
  return (
    <>
      <Question
        place={offeredPlace(place, props.setting?.offered?.get(key))}
        values={props.answers[key] ?? none}
        problem={props.problems.get(key)}
        onAnswer={props.onAnswer}
        isUncalculated={props.setting?.uncalculated?.has(key) ?? false}
        isPrefilled={isEditable(item) && isSameAnswer(props.answers[key], props.prefilled[key])}
        calculation={
          item.calculated === undefined || !isEditable(item)
            ? undefined
            : {
                isOverwritten: isOverwritten(props.answers, key),
                onRestore: () => props.onChange(withOverwritten(props.answers, key, false)),
              }
        }
      />
      {branches.length > 0 && (
        <div className={css.followUps}>
          <Branches {...props} branches={branches} />
        </div>
      )}
    </>
  );
}

const isSameAnswer = (one: readonly Value[] = none, other: readonly Value[] = none): boolean =>
  other.length > 0 && one.length === other.length && one.every((value, i) => isSameValue(value, other[i]));

const offeredPlaces = new WeakMap<FormItem, VisibleItem>();

/** The place with the item as it offers its answers now; the same object as long as they are the same. */
function offeredPlace(place: VisibleItem, offered: FormItem | undefined): VisibleItem {
  if (!offered) return place;
  const known = offeredPlaces.get(offered) ?? { ...place, item: offered };
  offeredPlaces.set(offered, known);
  return known;
}

function Group({ branch, ...props }: QuestionsProps & { branch: Branch }) {
  const language = useLanguage();
  const id = useId();
  const { place, branches } = branch;
  const { item, repetition } = place;
  const { answers, page } = props;
  const repeated = usePart(repetition === undefined ? null : 'repeatedGroup');
  const title = questionText(item, language);
  const wrong = props.problems.get(place.key);
  if (repetition === undefined) {
    // The page's own group is its heading already.
    const isPage = item === page.group;
    const content = (
      <>
        <GroupHelp group={item} />
        {wrong && <ProblemMessage role="alert" problem={wrong} />}
        <Branches {...props} branches={branches} />
      </>
    );
    const folding = isPage || title === '' ? undefined : textOf(item.source, urls.collapsible);
    if (folding)
      return (
        <details className={css.folding} open={folding !== 'default-closed' || hasProblem(branch, props.problems)}>
          <summary>{title}</summary>
          <div className={css.group}>{content}</div>
        </details>
      );
    return (
      <section className={css.group} aria-labelledby={isPage || title === '' ? undefined : id}>
        {!isPage && title !== '' && (
          <h2 id={id}>
            <ItemText item={item} isInline />
          </h2>
        )}
        {content}
      </section>
    );
  }
  return (
    repeated && (
      <repeated.RepeatedGroup
        place={place}
        repetition={repetition}
        problem={wrong}
        answers={answers}
        onChange={props.onChange}
      >
        <GroupHelp group={item} />
        <Branches {...props} branches={branches} />
      </repeated.RepeatedGroup>
    )
  );
}

/** Whether something in it is missing or wrong, so that it must not be folded away. */
const hasProblem = ({ place, branches }: Branch, problems: QuestionsProps['problems']): boolean =>
  problems.has(place.key) || branches.some((one) => hasProblem(one, problems));

/** The help texts of a group, which belong to all of its questions. */
function GroupHelp({ group }: { group: FormItem }) {
  const help = helpOf(group);
  return (
    <div className={fields.hint}>
      <ItemMedia item={group} />
      <SupportLinks item={group} />
      {help.map((text) => (
        <div key={text.linkId}>
          <ItemText item={text} /> <SupportLinks item={text} />
        </div>
      ))}
    </div>
  );
}
