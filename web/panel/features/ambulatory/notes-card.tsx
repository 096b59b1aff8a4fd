import { Trans, useLingui } from '@lingui/react/macro';
import type { AmbuPatientFile } from '#contract/ambulatory/patients.ts';
import { longestNotes } from '#contract/ambulatory/shapes.ts';
import { useEditable } from '#web/kit/use-editable.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import { LeaveQuestion } from '#web/panel/ui/leave-question.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './details.module.css';
import { joinNotes } from './join-notes.ts';
import { idsOf, isNotesConflict, useSaveNotes } from './use-patient-file.ts';

interface SavedNotes {
  notes: string;
  version: number;
}

/** The practice's notes about a patient. Two desks that write at the same time lose nothing: the later one sees both texts. */
export function NotesCard({ file: { patient, notesSaved } }: { file: AmbuPatientFile }) {
  const { t } = useLingui();
  const save = useSaveNotes(idsOf(patient));
  const saved: SavedNotes = { notes: patient.notes, version: patient.notesVersion };
  const { base, draft, setDraft, changed, overtaken, restart } = useEditable(saved, {
    toDraft: ({ notes }: SavedNotes) => notes,
    isChanged: (text, { notes }) => text !== notes,
    isSame: (a, b) => a.version === b.version,
  });
  const saveNotes = () =>
    save.mutate(
      { notes: draft, version: base.version },
      {
        onSuccess({ notes, notesVersion }) {
          restart({ notes, version: notesVersion });
          toast({ title: t`Notes saved` });
        },
      },
    );
  const goOnWith = (text: string) => {
    restart(saved);
    setDraft(text);
    save.reset();
  };
  return (
    <Card title={t`Notes`}>
      <form
        className={css.notes}
        onSubmit={(event) => {
          event.preventDefault();
          if (changed && !overtaken && !save.isPending) saveNotes();
        }}
      >
        {overtaken && (
          <Overtaken
            theirs={saved.notes}
            by={notesSaved?.by ?? null}
            onBoth={() => goOnWith(joinNotes(saved.notes, draft))}
            onTheirs={() => goOnWith(saved.notes)}
          />
        )}
        <TextArea
          label={t`Notes about the patient`}
          hideLabel
          rows={6}
          maxLength={longestNotes}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        {/* On paper a text area ends where it ends on screen. */}
        <p className={css.printed} dir="auto">
          {draft}
        </p>
        {!isNotesConflict(save.error) && <ErrorText error={save.error} />}
        <div className={css.notesFoot}>
          <p className={css.small} role="status">
            {changed ? t`Unsaved changes` : notesSaved && <SavedBy {...notesSaved} />}
          </p>
          <Button type="submit" variant="filled" busy={save.isPending} locked={!changed || overtaken}>
            {t`Save Notes`}
          </Button>
        </div>
      </form>
      <LeaveQuestion unsaved={changed} lost={t`The notes have changes that are not saved.`} />
    </Card>
  );
}

function SavedBy({ by, at }: NonNullable<AmbuPatientFile['notesSaved']>) {
  if (by === null)
    return (
      <Trans>
        Saved <OfficeMoment at={at} />
      </Trans>
    );
  return (
    <Trans>
      Saved by {by}, <OfficeMoment at={at} />
    </Trans>
  );
}

interface OvertakenProps {
  theirs: string;
  by: string | null;
  onBoth: () => void;
  onTheirs: () => void;
}

/** A colleague saved other notes while these were being written: their text, and how to go on. */
function Overtaken({ theirs, by, onBoth, onTheirs }: OvertakenProps) {
  const { t } = useLingui();
  return (
    <Banner tone="amber">
      <p>{by === null ? t`A colleague saved other notes meanwhile:` : t`${by} saved other notes meanwhile:`}</p>
      <p className={css.theirs} dir="auto">
        {theirs === '' ? t`(no notes)` : theirs}
      </p>
      <div className={css.buttons}>
        <Button size="s" onClick={onBoth}>{t`Keep both texts`}</Button>
        <Button size="s" onClick={onTheirs}>{t`Use theirs only`}</Button>
      </div>
    </Banner>
  );
}
