import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { PanelChoices, Panels } from '#contract/practice/panels.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Choices } from '#web/panel/features/preferences/index.ts';
import { useConfirmedIdentity, useSecurity } from '#web/panel/features/security/index.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { SettingsForm } from '#web/panel/ui/settings-form.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsForm } from '#web/panel/ui/use-settings-form.ts';
import css from './panels.module.css';
import { useSavePanels } from './use-panels.ts';

const toDraft = ({ panel, oldFormsScreen, chatEnabled }: Panels): PanelChoices => ({
  panel,
  oldFormsScreen,
  chatEnabled,
});
const isChanged = (draft: PanelChoices, saved: Panels) => JSON.stringify(draft) !== JSON.stringify(toDraft(saved));
const isValid = () => true;

/** The switches for the panel, the forms screen and the website chat. Saving needs a recent identity check. */
export function PanelsForm({ saved }: { saved: Panels }) {
  const { t } = useLingui();
  const save = useSavePanels();
  const { change: afterProof, question } = useConfirmedIdentity(useSecurity().data);
  const settings = useSettingsForm(saved, { toDraft, isChanged, isValid, onRestart: save.reset });
  const { draft, setDraft } = settings;
  const edit = (what: Partial<PanelChoices>) => setDraft({ ...draft, ...what });
  const saveDraft = () =>
    afterProof(() =>
      save.mutate(draft, {
        onSuccess(now) {
          settings.start(now);
          toast({ tone: 'green', title: t`Settings saved`, text: t`Everyone in the practice sees the change now.` });
        },
      }),
    );
  return (
    <>
      <SettingsForm
        {...settings.frame}
        saving={save.isPending}
        failed={save.error ? errorMessage(save.error, t`The server could not be reached.`) : undefined}
        lost={t`Your changes to the panels and screens would be lost.`}
        onSubmit={(event) => settings.submit(event, saveDraft)}
      >
        <PanelCard saved={saved} panel={draft.panel} onEdit={edit} />
        <FormsCard saved={saved} isOld={draft.oldFormsScreen} onEdit={edit} />
        <ChatCard isOn={draft.chatEnabled} onEdit={edit} />
      </SettingsForm>
      {question}
    </>
  );
}

type OnEdit = (what: Partial<PanelChoices>) => void;

/** Where the desk works. An ambulatory practice sees that, and whom to ask. */
function PanelCard({ saved, panel, onEdit }: { saved: Panels; panel: PanelChoices['panel']; onEdit: OnEdit }) {
  const { t } = useLingui();
  const askUs = (
    <Link to="/dashboard/settings/live-customer-support">
      <Trans>Write to us to change it</Trans>
    </Link>
  );
  return (
    <Card title={t`Panel`}>
      {saved.ambulatory && panel === 'queue' ? (
        <p className={css.fixed}>
          <strong>{t`Ambulatory`}</strong>
          <span className={css.note}>{t`You work with patients after surgery: patient list, surveys and chat.`}</span>
          {askUs}
        </p>
      ) : (
        <Choices
          legend={t`Panel`}
          hideLegend
          value={panel}
          onChange={(value) => onEdit({ panel: value })}
          choices={[
            {
              value: 'queue',
              label: t`Queue`,
              hint: t`Patients check in on their phone. You see who is waiting and call them in.`,
            },
            {
              value: 'sms',
              label: t`SMS dashboard`,
              hint: t`You text patients, one or a list of them, and call them in from a table.`,
            },
          ]}
        />
      )}
      {!saved.ambulatory && panel === 'queue' && (
        <p className={css.fixed}>
          <span className={css.note}>
            {saved.checkInTab
              ? t`The Check-in tab is shown.`
              : t`The Check-in tab is off: the panel opens with Engage Patients. Patients can still check in.`}
          </span>
          {!saved.checkInTab && askUs}
        </p>
      )}
      {saved.ownPanel && <p className={css.note}>{t`You see the other panel: it was set for you.`}</p>}
    </Card>
  );
}

function FormsCard({ saved, isOld, onEdit }: { saved: Panels; isOld: boolean; onEdit: OnEdit }) {
  const { t } = useLingui();
  return (
    <Card title={t`Forms screen`}>
      <Choices
        legend={t`Forms screen`}
        hideLegend
        value={isOld ? 'today' : 'all'}
        onChange={(value) => onEdit({ oldFormsScreen: value === 'today' })}
        choices={[
          { value: 'all', label: t`All forms`, hint: t`Every form by type and date, with search and downloads.` },
          {
            value: 'today',
            label: t`Today’s patients`,
            hint: t`The earlier screen: today’s patients, each with their forms.`,
          },
        ]}
      />
      {saved.ownFormsScreen && <p className={css.note}>{t`You see the other screen: it was set for you.`}</p>}
    </Card>
  );
}

function ChatCard({ isOn, onEdit }: { isOn: boolean; onEdit: OnEdit }) {
  const { t } = useLingui();
  return (
    <Card title={t`Website chat`}>
      <Checkbox
        toggle
        label={t`Let visitors of your website write to you`}
        hint={t`Adds the tab Website Chatbox. Websites, colors and hours are in the settings of the chat.`}
        checked={isOn}
        onChange={(event) => onEdit({ chatEnabled: event.target.checked })}
      />
      <Link to="/dashboard/settings/widget" className={css.more}>
        <Trans>Website chat settings</Trans>
      </Link>
    </Card>
  );
}
