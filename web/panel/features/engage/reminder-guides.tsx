import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import css from './engage.module.css';

/** 'Edit Your Patient Reminders': how to add the check-in message to the reminders of other systems. */
export function ReminderGuides() {
  const { t } = useLingui();
  const copyStep = t`Copy “Add to existing messages” above.`;
  const pasteStep = t`Paste the message at the end of the text reminder. Keep the link in one piece.`;
  const testStep = t`Save, then send a test reminder to your own phone and tap the link.`;
  return (
    <Card title={t`Edit Your Patient Reminders`}>
      <p className={css.note}>
        {t`Already sending appointment reminders? Add the check-in link to them. Menus can have other names in your version.`}
      </p>
      <ul className={css.guides}>
        <Guide
          name="Dentrix"
          steps={[
            copyStep,
            t`Sign in to Dentrix Ascend or to the Communication Manager of Dentrix (eCentral).`,
            t`In Ascend, open Settings, then Patient Communications, and choose the Appointment tab. In the Communication Manager, open the appointment reminders.`,
            t`Choose the reminder that goes out closest to the appointment, and edit its text message.`,
            pasteStep,
            testStep,
          ]}
        />
        <Guide
          name="Eaglesoft"
          steps={[
            copyStep,
            t`Open the messaging service that sends your Eaglesoft reminders, and sign in as a person who may change settings.`,
            t`Open the message templates, and choose the text reminder for appointments.`,
            t`Choose the reminder that goes out closest to the appointment, and edit its text message.`,
            pasteStep,
            testStep,
          ]}
        />
        <Guide
          name="Solutionreach"
          steps={[
            copyStep,
            t`Sign in to Solutionreach, and open the settings of your automated messages.`,
            t`Open the appointment reminders, and choose the text message that is sent on the day of the visit.`,
            t`Edit the template. If it cannot be edited, copy it first and edit the copy.`,
            pasteStep,
            testStep,
          ]}
        />
        <li>
          <Link to="/dashboard/settings/live-customer-support" className={css.other}>
            <ChevronRightIcon />
            {t({ message: 'Other', context: 'another reminder system' })}
            <span className={css.note}>{t`We help you with any other system.`}</span>
          </Link>
        </li>
      </ul>
    </Card>
  );
}

function Guide({ name, steps }: { name: string; steps: readonly string[] }) {
  return (
    <li>
      <details className={css.guide}>
        <summary>
          <ChevronDownIcon />
          {name}
        </summary>
        <ol className={css.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </details>
    </li>
  );
}
