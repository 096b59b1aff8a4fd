import { useLingui } from '@lingui/react/macro';
import { useState, type KeyboardEvent } from 'react';
import { PlusIcon } from '#web/icons/plus.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import type { CardProps } from './card-props.ts';
import { originProblem, type Draft, type Problem } from './chat-settings-draft.ts';
import css from './chat-settings.module.css';
import { websiteOf } from './website-address.ts';

/** The websites that may show the chat: added, removed with undo. */
export function WebsitesCard({ draft, onEdit, errorAt, messages }: CardProps & { messages: Record<Problem, string> }) {
  const { t } = useLingui();
  const { origins, newOrigin } = draft;
  /** Whether somebody has tried to add what is typed. */
  const [tried, setTried] = useState(false);
  const problem = tried ? originProblem(draft) : undefined;
  const add = () => {
    const origin = websiteOf(newOrigin);
    const isFine = origin !== null && originProblem(draft) === undefined;
    setTried(!isFine);
    if (isFine) onEdit({ origins: [...origins, origin], newOrigin: '' });
  };
  const remove = (origin: string) => {
    onEdit(({ origins: now }) => ({ origins: now.filter((other) => other !== origin) }));
    const putBack = () => onEdit((now) => ({ origins: withBack(now, origin, origins.indexOf(origin)) }));
    toast({ title: t`${origin} removed`, action: { label: t`Undo`, run: putBack } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Not the form: what is typed is added first.
    event.preventDefault();
    add();
  };
  return (
    <Card title={t`Your websites`}>
      <p
        className={css.note}
      >{t`The chat shows on these websites only. On any other one it says that it is not for that site.`}</p>
      {origins.length === 0 && draft.chatEnabled && newOrigin.trim() === '' && (
        <div className={css.warning}>
          <Banner tone="amber">{t`Add your website: until then, the chat is not shown anywhere.`}</Banner>
        </div>
      )}
      {origins.length > 0 && (
        <ul className={css.websites} aria-label={t`Your websites`}>
          {origins.map((origin) => (
            <li key={origin}>
              <bdi dir="ltr" className={css.website}>
                {origin}
              </bdi>
              <IconButton
                label={t`Remove ${origin}`}
                icon={TrashIcon}
                variant="subtle"
                size="s"
                onClick={() => remove(origin)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={css.adding}>
        <TextInput
          label={t`Address of your website`}
          hint={t`For example https://www.example.com. With and without “www” are two websites: add both.`}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={newOrigin}
          {...(problem ? { error: messages[problem] } : errorAt('newOrigin'))}
          onChange={(event) => {
            setTried(false);
            onEdit({ newOrigin: event.target.value });
          }}
          onKeyDown={onKeyDown}
        />
        <Button icon={PlusIcon} locked={newOrigin.trim() === ''} onClick={add}>
          {t`Add website`}
        </Button>
      </div>
    </Card>
  );
}

function withBack({ origins }: Draft, removed: string, at: number): readonly string[] {
  return origins.includes(removed) ? origins : origins.toSpliced(at, 0, removed);
}
